import {
  IconBook,
  IconBuildingMonument,
  IconCamera,
  IconMapPin,
  IconMovie,
  IconMusic,
  IconToolsKitchen2,
  IconTrees,
} from '@tabler/icons-react';
import type { PlaceType } from '@wayquest/contracts';

const icons = {
  park: IconTrees,
  museum: IconBuildingMonument,
  movie_theater: IconMovie,
  tourist_attraction: IconCamera,
  night_club: IconMusic,
  library: IconBook,
  restaurant: IconToolsKitchen2,
} satisfies Record<PlaceType, typeof IconMapPin>;

/** The icon of a type of place. */
export function TypeIcon({ type }: { type: PlaceType | null }) {
  const Icon = type ? icons[type] : IconMapPin;
  return <Icon size={32} stroke={1.5} color="var(--mantine-color-purple-5)" aria-hidden />;
}

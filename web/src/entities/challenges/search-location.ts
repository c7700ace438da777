import { type FoundPlace, type Position, textLimits } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { useResource } from '../../shared/lib/use-resource.ts';
import { useKnownPosition } from '../../shared/ui/use-position.ts';
import { selectAuthStatus, selectUser } from '../auth/slice.ts';

/** Where to look for challenges: around a position, or in a town by its name. */
export type SearchLocation = { position: Position } | { town: string; state?: string } | null;

const townIn = (found: FoundPlace[] | null) =>
  found?.find(({ matchesAll, type }) => matchesAll && type === null);

/** The position of a town if the places service knows it, otherwise only its name. Undefined is not known yet. */
export function useLocated(where: SearchLocation | undefined) {
  const { town, state = '' } = where && 'town' in where ? where : {};
  const search = (text: string | undefined) =>
    text ? { query: { text: text.slice(0, textLimits.placeSearch) } } : null;
  const full = useResource('searchPlaces', search(town && state ? `${town}, ${state}` : town));
  // A state may be written in another way than the service knows it.
  const isUnknown = state !== '' && full.data !== null && !townIn(full.data);
  const short = useResource('searchPlaces', search(isUnknown ? town : undefined));
  const { data: found, ...status } = isUnknown ? short : full;
  const place = townIn(found);
  return {
    ...status,
    data: !town ? where : found ? (place ? { position: place.position } : where) : undefined,
  };
}

/**
 * The position that challenges are listed around: the person's if their browser may share it already, otherwise that of the
 * town in their profile. Undefined while loading, null if neither is known.
 */
export function useListPosition(): Position | null | undefined {
  const device = useKnownPosition();
  const isStarting = useSelector(selectAuthStatus) === 'starting';
  const user = useSelector(selectUser);
  const town = user?.city.trim();
  const { error, data } = useLocated(
    device === null && town ? { town, state: user?.state.trim() ?? '' } : undefined,
  );
  if (device !== null) return device;
  if (isStarting) return undefined;
  if (!town) return null;
  if (data === undefined && error === null) return undefined;
  return data && 'position' in data ? data.position : null;
}

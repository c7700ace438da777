import type { PlaceFinder } from '../map/map.ts';
import type { Selection } from '../use-selection.ts';
import { ChallengeWindow } from './ChallengeWindow.tsx';
import { LocationWindow } from './LocationWindow.tsx';
import { PlaceWindow } from './PlaceWindow.tsx';

interface Props {
  selection: Selection;
  finder: PlaceFinder;
  /** The path that shows this window again. */
  here: string;
  onCenter(): void;
  onClose(): void;
  onCreated(): void;
}

/** The window of the selected pin or position. */
export default function SelectedWindow({ selection, finder, here, onCenter, onClose, onCreated }: Props) {
  const common = { finder, here, onClose, onCreated };
  switch (selection.kind) {
    case 'challenge':
      return <ChallengeWindow challenge={selection.challenge} here={here} onClose={onClose} />;
    case 'place':
      return <PlaceWindow place={selection.place} {...common} />;
    case 'spot':
      return <LocationWindow position={selection.position} onCenter={onCenter} {...common} />;
  }
}

import type { Place } from '@wayquest/contracts';
import type { PlaceFinder } from '../map/map.ts';
import { useFoundAddress } from '../use-found-address.ts';
import { CreateForm } from './CreateForm.tsx';
import { PlacePhoto } from './PlacePhoto.tsx';
import { TypeIcon } from './TypeIcon.tsx';
import { WindowFrame } from './WindowFrame.tsx';

interface Props {
  place: Place;
  finder: PlaceFinder;
  /** The path that shows this position again. */
  here: string;
  onClose(): void;
  onCreated(): void;
}

/** A place on the map, and the form for a challenge there. */
export function PlaceWindow({ place, finder, here, onClose, onCreated }: Props) {
  const { position, name, vicinity, streetAddress, city, state, zip } = place;
  const own = city ? { streetAddress, city, state, zip, label: vicinity } : undefined;
  const lookup = useFoundAddress(finder, position, own);
  const known = lookup.state === 'found' ? lookup.address : place;
  return (
    <WindowFrame title={name} icon={<TypeIcon type={place.type} />} onClose={onClose}>
      <PlacePhoto place={place} finder={finder} />
      <p>{vicinity}</p>
      <CreateForm
        spot={{
          position,
          locationName: name,
          type: place.type,
          streetAddress: known.streetAddress,
          city: known.city,
          state: known.state,
          zip: known.zip,
        }}
        address={lookup.state === 'loading' ? 'loading' : known.city ? 'known' : 'manual'}
        here={here}
        onCreated={onCreated}
      />
    </WindowFrame>
  );
}

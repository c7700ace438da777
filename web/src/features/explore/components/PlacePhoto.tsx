import type { Place } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { PlacePicture } from '../../challenges/pictures/PlacePicture.tsx';
import type { PlaceFinder } from '../map/map.ts';
import { typeWords } from '../type-words.ts';
import classes from './PlacePhoto.module.css';

const placeholder = '/images/placeholder.jpg';

function Photo({ place, find }: { place: Place; find: NonNullable<PlaceFinder['photo']> }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let wanted = true;
    find(place).then(
      (found) => wanted && setAddress(found ?? placeholder),
      () => wanted && setAddress(placeholder),
    );
    return () => {
      wanted = false;
    };
  }, [place, find]);
  return address && <img src={address} alt="" onError={() => setAddress(placeholder)} />;
}

/** What a place looks like: a photo where somebody can be asked for one, else a scene of its kind. */
export function PlacePhoto({ place, finder }: { place: Place; finder: PlaceFinder }) {
  if (!finder.photo && !place.type) return null;
  const scene = {
    id: Math.abs(Math.round(place.position.lat * 1e4)),
    name: place.name,
    locationName: place.type ? typeWords(place.type) : '',
  };
  return (
    <div className={classes.photo}>
      {finder.photo ? <Photo place={place} find={finder.photo} /> : <PlacePicture challenge={scene} />}
    </div>
  );
}

import { type Place, sceneOfType } from '@wayquest/contracts';
import { Suspense, useEffect, useState } from 'react';
import { lazyExtra } from '../../../shared/lib/lazy-extra.ts';
import type { Photo, PlaceFinder } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import classes from './PlacePhoto.module.css';

const PlacePicture = lazyExtra(
  async () => (await import('../../../entities/challenges/pictures/PlacePicture.tsx')).PlacePicture,
);

const placeholder: Photo = { url: '/images/placeholder.jpg', credit: '' };

function FoundPhoto({ place, find }: { place: Place; find: NonNullable<PlaceFinder['photo']> }) {
  const t = useTranslations();
  const [photo, setPhoto] = useState<Photo>();
  useEffect(() => {
    let wanted = true;
    find(place).then(
      (found) => wanted && setPhoto(found ?? placeholder),
      () => wanted && setPhoto(placeholder),
    );
    return () => {
      wanted = false;
    };
  }, [place, find]);
  if (!photo) return null;
  return (
    <>
      <img src={photo.url} alt="" onError={() => setPhoto(placeholder)} />
      {photo.credit && <small className={classes.credit}>{t('photoBy', { credit: photo.credit })}</small>}
    </>
  );
}

/** A place's photo if the map's provider has one, otherwise a drawing of its kind of place. */
export function PlacePhoto({ place, finder }: { place: Place; finder: PlaceFinder }) {
  if (!finder.photo && !place.type) return null;
  const id = Math.abs(Math.round(place.position.lat * 1e4));
  return (
    <div className={classes.photo}>
      {finder.photo ? (
        <FoundPhoto place={place} find={finder.photo} />
      ) : (
        place.type && (
          <Suspense fallback={null}>
            <PlacePicture
              challenge={{ id, name: place.name, locationName: '', scene: sceneOfType[place.type] }}
            />
          </Suspense>
        )
      )}
    </div>
  );
}

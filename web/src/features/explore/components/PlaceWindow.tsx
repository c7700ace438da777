import { type Place, placeCategoryOfType } from '@wayquest/contracts';
import { Suspense, useEffect, useState } from 'react';
import { lazyOptional } from '../../../shared/lib/lazy-loading.ts';
import { useFoundAddress } from '../found-address.ts';
import type { Photo, PlaceFinder } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import { CreateForm } from './CreateForm.tsx';
import placePhotoClasses from './PlacePhoto.module.css';
import { TypeIcon } from './TypeIcon.tsx';
import { WindowFrame } from './WindowFrame.tsx';

const PlacePicture = lazyOptional(
  async () => (await import('../../../entities/challenges/pictures/PlacePicture.tsx')).PlacePicture,
);

const placeholder: Photo = { url: '/images/placeholder.jpg', credit: '' };

function FoundPhoto({ place, find }: { place: Place; find: NonNullable<PlaceFinder['photo']> }) {
  const t = useTranslations();
  const [photo, setPhoto] = useState<Photo>();
  useEffect(() => {
    let isCurrent = true;
    find(place).then(
      (found) => isCurrent && setPhoto(found ?? placeholder),
      () => isCurrent && setPhoto(placeholder),
    );
    return () => {
      isCurrent = false;
    };
  }, [place, find]);
  if (!photo) return null;
  return (
    <>
      <img src={photo.url} alt="" onError={() => setPhoto(placeholder)} />
      {photo.credit && (
        <small className={placePhotoClasses.credit}>{t('photoBy', { credit: photo.credit })}</small>
      )}
    </>
  );
}

/** A place's photo if the map's provider has one, otherwise a drawing of its kind of place. */
function PlacePhoto({ place, finder }: { place: Place; finder: PlaceFinder }) {
  if (!finder.photo && !place.type) return null;
  const id = Math.abs(Math.round(place.position.lat * 1e4));
  return (
    <div className={placePhotoClasses.photo}>
      {finder.photo ? (
        <FoundPhoto place={place} find={finder.photo} />
      ) : (
        place.type && (
          <Suspense fallback={null}>
            <PlacePicture
              challenge={{
                id,
                name: place.name,
                locationName: '',
                placeCategory: placeCategoryOfType[place.type],
              }}
            />
          </Suspense>
        )
      )}
    </div>
  );
}

interface Props {
  place: Place;
  finder: PlaceFinder;
  /** The path that shows this position again. */
  returnPath: string;
  onClose(): void;
  onCreated(): void;
}

/** A place on the map, and the form for a challenge there. */
export function PlaceWindow({ place, finder, returnPath, onClose, onCreated }: Props) {
  const { position, name, vicinity, streetAddress, city, state, zip } = place;
  const knownAddress = city ? { streetAddress, city, state, zip, label: vicinity } : undefined;
  const lookup = useFoundAddress(finder, position, knownAddress);
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
        returnPath={returnPath}
        onCreated={onCreated}
      />
    </WindowFrame>
  );
}

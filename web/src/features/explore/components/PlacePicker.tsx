import { Button } from '@mantine/core';
import type { Position, WebSettings } from '@wayquest/contracts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { mapStart } from '../../../entities/challenges/location.ts';
import type { PlacePickerProps } from '../../../entities/challenges/place-picker.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import type { MapKit, Pin, View, ViewportTarget } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import { useMapKit } from '../use-map-kit.ts';
import classes from './PlacePicker.module.css';

/** Close enough to show the streets around a position. */
const closeZoom = 15;
const townZoom = 12;

const targetAt = (position: Position | null, center: Position): ViewportTarget =>
  position ? { center: position, zoom: closeZoom } : { center, zoom: townZoom };

const keyOf = (position: Position | null) => position && `${position.lat},${position.lng}`;

interface PickerProps extends PlacePickerProps {
  center: Position;
  kit: MapKit;
  settings: WebSettings;
}

function Picker({
  kit: { Map: MapView, finder },
  settings,
  position,
  center,
  onChoose,
  onAddress,
}: PickerProps) {
  const t = useTranslations();
  const [target, setTarget] = useState(() => targetAt(position, center));
  const [view, setView] = useState<View>();
  const positionsKey = `${keyOf(position)} ${keyOf(center)}`;
  const lastKey = useRef(positionsKey);
  /** The position chosen on this map, which it shows already. */
  const chosenKey = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the positions
  useEffect(() => {
    const isNew = lastKey.current !== positionsKey;
    lastKey.current = positionsKey;
    if (isNew && chosenKey.current !== positionsKey) setTarget(targetAt(position, center));
  }, [positionsKey]);
  const pins = useMemo<Pin[]>(
    () => (position ? [{ id: 'here', kind: 'here', position, label: t('chosenSpot') }] : []),
    [position, t],
  );
  const choose = (next: Position) => {
    const rounded = { lat: Number(next.lat.toFixed(5)), lng: Number(next.lng.toFixed(5)) };
    const key = `${keyOf(rounded)} ${keyOf(center)}`;
    chosenKey.current = key;
    onChoose(rounded);
    finder.reverse(rounded).then(
      (address) => {
        if (chosenKey.current === key) onAddress(address);
      },
      // The person can still type it.
      (error) => console.warn('The address of a spot could not be found', error),
    );
  };
  const remove = () => {
    chosenKey.current = `${keyOf(null)} ${keyOf(center)}`;
    onChoose(null);
  };
  return (
    <>
      <div className={classes.map}>
        <MapView
          settings={settings}
          target={target}
          pins={pins}
          window={null}
          coveredWidth={0}
          onPin={() => undefined}
          onClick={choose}
          onView={setView}
        />
      </div>
      <div className={classes.actions}>
        <Button variant="default" disabled={!view} onClick={() => view && choose(view.center)}>
          {t('pickCenter')}
        </Button>
        {position && (
          <Button variant="default" onClick={remove}>
            {t('pickNone')}
          </Button>
        )}
      </div>
    </>
  );
}

/** A small map on which the place of a challenge is chosen: by a click, or with the keyboard as the map's center. */
export default function PlacePicker(props: PlacePickerProps) {
  const t = useTranslations();
  const { kit, settings, failed, retry } = useMapKit();
  return (
    <section aria-label={t('pickMap')}>
      <p className={classes.hint}>{t('pickHint')}</p>
      {failed && <Failure onRetry={retry}>{t('mapsFailed')}</Failure>}
      {!failed && kit && settings && (
        <Picker
          {...props}
          center={props.center ?? settings.start?.center ?? mapStart}
          kit={kit}
          settings={settings}
        />
      )}
      {!failed && !kit && (
        <div className={classes.map}>
          <p role="status">{t('loadingMaps')}</p>
        </div>
      )}
    </section>
  );
}

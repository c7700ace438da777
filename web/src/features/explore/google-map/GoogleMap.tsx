import { useComputedColorScheme } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { GoogleMap as Canvas, MarkerF } from '@react-google-maps/api';
import { memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Failure } from '../../../shared/ui/Message.tsx';
import type { MapProps, Pin, View, ViewportTarget } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import { InfoWindow } from './InfoWindow.tsx';
import { keyRefusal } from './load-google.ts';
import { looksOf } from './pin-icons.ts';

function lookAt(map: google.maps.Map, aim: ViewportTarget) {
  if ('zoom' in aim) map.moveCamera({ center: aim.center, zoom: aim.zoom });
  else map.fitBounds(aim.box);
}

/** Undefined until the map has a size and a position. */
function viewOf(map: google.maps.Map): View | null {
  const center = map.getCenter()?.toJSON();
  const zoom = map.getZoom();
  const box = map.getBounds()?.toJSON();
  return center && zoom !== undefined && box ? { center, zoom, box } : null;
}

/** Only markers that are elements can be reached by keyboard. */
const reachable = { optimized: false };

/** Google's newer markers would need the id of a map styled in its console. */
/** Markers further south overlap others, by their pixels. */
const aboveAll = 100_000;

const PinMarker = memo(function PinMarker({ pin, onPin }: { pin: Pin } & Pick<MapProps, 'onPin'>) {
  return (
    <MarkerF
      {...looksOf(pin)}
      {...(pin.chosen && { zIndex: aboveAll })}
      position={pin.position}
      title={pin.label}
      options={reachable}
      onClick={() => onPin(pin)}
    />
  );
});

/** Google's map behind the common interface. */
export function GoogleMap({ aim, pins, window, covered, onPin, onClick, onView }: MapProps) {
  const t = useTranslations();
  const refused = useSyncExternalStore(keyRefusal.watch, keyRefusal.happened);
  const scheme = useComputedColorScheme();
  const options = useMemo<google.maps.MapOptions>(
    () => ({
      clickableIcons: false,
      fullscreenControl: false,
      mapTypeControl: false,
      streetViewControl: false,
      gestureHandling: 'greedy',
      minZoom: 2,
      maxZoom: 19,
      colorScheme: scheme === 'dark' ? 'DARK' : 'LIGHT',
    }),
    [scheme],
  );
  // Beside the list on the left side, since Google requires its logo in that corner to be visible.
  const place = useMemo(() => ({ height: '100%', marginLeft: covered }), [covered]);
  const [map, setMap] = useState<google.maps.Map | null>(null);
  const followed = useRef(aim);
  // A map in other colors is another map; it starts where the last one was.
  const shown = useRef(aim);
  useEffect(() => {
    if (!map || followed.current === aim) return;
    followed.current = aim;
    lookAt(map, aim);
  }, [map, aim]);
  const choose = useCallbackRef(onPin);

  if (refused) return <Failure>{t('mapsFailed')}</Failure>;
  return (
    <Canvas
      key={scheme}
      mapContainerStyle={place}
      options={options}
      onLoad={(created) => {
        lookAt(created, shown.current);
        setMap(created);
      }}
      onUnmount={() => setMap(null)}
      onClick={({ latLng }) => latLng && onClick(latLng.toJSON())}
      onIdle={() => {
        const view = map && viewOf(map);
        if (!view) return;
        shown.current = view;
        onView(view);
      }}
    >
      {pins.map((pin) => (
        <PinMarker key={pin.id} pin={pin} onPin={choose} />
      ))}
      {map && window && <InfoWindow key={window.key} map={map} window={window} />}
    </Canvas>
  );
}

import { useComputedColorScheme } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { GoogleMap as Canvas, MarkerF, OverlayView } from '@react-google-maps/api';
import { memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { purple } from '../../../shared/theme/palette.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import {
  type LoadMapKit,
  type MapProps,
  type MapWindow,
  type Pin,
  panOffset,
  type View,
  type ViewportTarget,
} from '../map/map.ts';
import { canvas, svgOf } from '../map/pin-shapes.ts';
import { useTranslations } from '../translations.ts';
import { createGoogleFinder } from './google-finder.ts';
import infoWindowClasses from './InfoWindow.module.css';
import { keyRejection, loadGoogle } from './load-google.ts';

function lookAt(map: google.maps.Map, target: ViewportTarget) {
  if ('zoom' in target) map.moveCamera({ center: target.center, zoom: target.zoom });
  else map.fitBounds(target.box);
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

/** Markers further south overlap others, by their pixels. */
const aboveAll = 100_000;

const asUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const disc = (size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"><circle cx="${size / 2}" cy="${size / 2}" r="${size / 2 - 2}" fill="${purple[6]}" stroke="#fff" stroke-width="3"/></svg>`;

interface PinIcon {
  icon: google.maps.Icon;
  label?: google.maps.MarkerLabel;
}

function draw(pin: Pin): PinIcon {
  if (pin.kind !== 'cluster') {
    return { icon: { url: asUrl(svgOf(pin)), anchor: new google.maps.Point(...canvas.tip) } };
  }
  const { count = 0 } = pin;
  const size = count < 10 ? 44 : count < 100 ? 46 : count < 1_000 ? 54 : 62;
  return {
    icon: { url: asUrl(disc(size)), anchor: new google.maps.Point(size / 2, size / 2) },
    label: {
      text: count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`,
      color: '#fff',
      fontSize: '15px',
      fontWeight: '800',
    },
  };
}

const drawn = new Map<string, PinIcon>();

/** Returns a pin's icon for Google's map; the same object for the same appearance, so that nothing is drawn twice. */
function iconOf(pin: Pin): PinIcon {
  const name = `${pin.kind} ${pin.state} ${pin.count} ${pin.glyph}`;
  const looks = drawn.get(name) ?? draw(pin);
  drawn.set(name, looks);
  return looks;
}

const PinMarker = memo(function PinMarker({ pin, onPin }: { pin: Pin } & Pick<MapProps, 'onPin'>) {
  return (
    <MarkerF
      {...iconOf(pin)}
      {...(pin.chosen && { zIndex: aboveAll })}
      position={pin.position}
      title={pin.label}
      options={reachable}
      onClick={() => onPin(pin)}
    />
  );
});

/** Width of Google's zoom buttons with their gap, in pixels. */
const controls = 50;

/**
 * An info window over the map. Google's own closes at Escape without an event, is a dialog around the page's dialog,
 * and shows its content before it can be focused.
 */
function InfoWindow({ map, window: { position, content } }: { map: google.maps.Map; window: MapWindow }) {
  return (
    <OverlayView position={position} mapPaneName={OverlayView.FLOAT_PANE}>
      <Card map={map}>{content}</Card>
    </OverlayView>
  );
}

function Card({ map, children }: { map: google.maps.Map; children: MapWindow['content'] }) {
  const card = useRef<HTMLDivElement>(null);
  // Events stop at the card, so React has to listen within it.
  const [inside, setInside] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!card.current) return;
    const box = card.current;
    google.maps.OverlayView.preventMapHitsAndGesturesFrom(box);
    const watcher = new ResizeObserver(() => {
      const { left, right, top, bottom } = map.getDiv().getBoundingClientRect();
      const room = { left, right: right - controls, top, bottom };
      const [x, y] = panOffset(box.getBoundingClientRect(), room);
      if (x || y) map.panBy(x, y);
    });
    watcher.observe(box);
    watcher.observe(map.getDiv());
    return () => watcher.disconnect();
  }, [map]);
  return (
    <div ref={card} className={infoWindowClasses.card}>
      <div ref={setInside} />
      {inside && createPortal(children, inside)}
    </div>
  );
}

/** Google's map behind the common interface. */
function GoogleMap({ target, pins, window, coveredWidth, onPin, onClick, onView }: MapProps) {
  const t = useTranslations();
  const isKeyRejected = useSyncExternalStore(keyRejection.watch, keyRejection.hasHappened);
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
  const place = useMemo(() => ({ height: '100%', marginLeft: coveredWidth }), [coveredWidth]);
  const [map, setMap] = useState<google.maps.Map | null>(null);
  const appliedTarget = useRef(target);
  // A map in other colors is another map; it starts where the last one was.
  const shown = useRef(target);
  useEffect(() => {
    if (!map || appliedTarget.current === target) return;
    appliedTarget.current = target;
    lookAt(map, target);
  }, [map, target]);
  const choose = useCallbackRef(onPin);

  if (isKeyRejected) return <Failure>{t('mapsFailed')}</Failure>;
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

/** Google's map and places, by the key of the settings. */
export const load: LoadMapKit = async ({ googleMapsApiKey }) => {
  if (!googleMapsApiKey) throw new Error("Google's map needs a key");
  await loadGoogle(googleMapsApiKey);
  return { Map: GoogleMap, finder: createGoogleFinder() };
};

import 'leaflet/dist/leaflet.css';
import { useCallbackRef } from '@mantine/hooks';
import type { Position } from '@wayquest/contracts';
import {
  type LeafletKeyboardEvent,
  type Map as LeafletMap,
  type Popup as LeafletPopup,
  latLngBounds,
} from 'leaflet';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  AttributionControl,
  MapContainer,
  Marker,
  Popup,
  useMap,
  useMapEvents,
  ZoomControl,
} from 'react-leaflet';
import { centerOf, widthOf } from '../map/boxes.ts';
import type { Aim, MapProps, MapWindow, Pin, View } from '../map/map.ts';
import { wayTo } from '../map/way-to.ts';
import { boxOf, nearestTo, wrapped } from './box-of.ts';
import classes from './OpenMap.module.css';
import { iconOf } from './pin-icon.ts';
import { Tiles } from './Tiles.tsx';

const viewOf = (map: LeafletMap): View => {
  const { lat, lng } = map.getCenter();
  return { center: { lat, lng: wrapped(lng) }, zoom: map.getZoom(), box: boxOf(map) };
};

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function Aiming({ aim, covered }: Pick<MapProps, 'aim' | 'covered'>) {
  const map = useMap();
  const followed = useRef(aim);
  useEffect(() => {
    if (aim === followed.current) return;
    followed.current = aim;
    const animate = !still();
    const middle = map.getCenter().lng;
    if ('box' in aim) {
      const { south, west, north } = aim.box;
      const half = widthOf(aim.box) / 2;
      const there = nearestTo(middle, west + half);
      map.fitBounds(latLngBounds([south, there - half], [north, there + half]), {
        animate,
        paddingTopLeft: [covered, 0],
      });
    } else {
      const { lat, lng } = aim.center;
      map.setView([lat, nearestTo(middle, lng)], aim.zoom, { animate });
    }
  }, [map, aim, covered]);
  return null;
}

function Telling({ onClick, onView }: Pick<MapProps, 'onClick' | 'onView'>) {
  const map = useMapEvents({
    click: ({ latlng }) => onClick({ lat: latlng.lat, lng: wrapped(latlng.lng) }),
    moveend: () => onView(viewOf(map)),
  });
  const tell = useRef(onView);
  useEffect(() => {
    // The page may have given the map its size only now.
    map.invalidateSize({ pan: false });
    tell.current(viewOf(map));
  }, [map]);
  return null;
}

/** As long as the map takes to where a window opens. */
const arrivalMs = 1_000;

/**
 * What is written in the window comes and grows; the map keeps all of it in sight. Leaflet would do so at every render,
 * and where there is too little room it would never come to rest.
 */
function Window({ lat, lng, content, covered }: Position & Pick<MapWindow, 'content'> & { covered: number }) {
  const map = useMap();
  // A new object opens it anew.
  const position = useMemo(() => ({ lat, lng }), [lat, lng]);
  const popup = useRef<LeafletPopup>(null);
  // It is there once the popup is open, which is after this is.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  // Before it is drawn for the first time, so that nobody sees it come into its place.
  useLayoutEffect(() => {
    if (!box) return;
    const bringIntoSight = () => {
      popup.current?.update();
      const shown = popup.current?.getElement()?.getBoundingClientRect();
      if (!shown) return;
      map.stop();
      const { left, right, top, bottom } = map.getContainer().getBoundingClientRect();
      const [x, y] = wayTo(shown, { left: left + covered, right, top, bottom });
      if (x || y) map.panBy([x, y], { animate: !still() });
    };
    const watcher = new ResizeObserver(bringIntoSight);
    watcher.observe(box);
    // Where it was measured on the way there it has to be measured again; later the map is the person's.
    map.once('zoomend', bringIntoSight);
    const settled = setTimeout(() => map.off('zoomend', bringIntoSight), arrivalMs);
    return () => {
      watcher.disconnect();
      clearTimeout(settled);
      map.off('zoomend', bringIntoSight);
    };
  }, [map, covered, box]);
  return (
    <Popup
      ref={popup}
      position={position}
      className={classes.window ?? ''}
      closeButton={false}
      closeOnClick={false}
      closeOnEscapeKey={false}
      autoClose={false}
      autoPan={false}
      offset={[0, -34]}
      minWidth={288}
      maxWidth={288}
    >
      <div ref={setBox}>{content}</div>
    </Popup>
  );
}

/** In pixels, as markers that stand further south come before others. */
const belowChallenges = -5_000;

/** Drawn again only when its own pin changes: there may be hundreds, and the map tells of every move. */
const PinMarker = memo(function PinMarker({
  pin,
  lng,
  onPin,
}: { pin: Pin; lng: number } & Pick<MapProps, 'onPin'>) {
  const map = useMap();
  const handlers = useMemo(
    () => ({
      click: () => onPin(pin),
      keypress: ({ originalEvent }: LeafletKeyboardEvent) => {
        if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
        originalEvent.preventDefault();
        // A cluster that falls apart would take the focus with it.
        if (pin.kind === 'cluster') map.getContainer().focus({ preventScroll: true });
        onPin(pin);
      },
    }),
    [map, pin, onPin],
  );
  return (
    <Marker
      position={[pin.position.lat, lng]}
      icon={iconOf(pin)}
      title={pin.label}
      zIndexOffset={pin.kind === 'place' ? belowChallenges : 0}
      riseOnHover
      eventHandlers={handlers}
    />
  );
});

/** Beyond a date line every place comes again; what stands on the map stands where its place is nearest. */
function Standing({ pins, window, covered, onPin }: Pick<MapProps, 'pins' | 'window' | 'covered' | 'onPin'>) {
  const map = useMap();
  const [middle, setMiddle] = useState(() => map.getCenter().lng);
  useMapEvents({ moveend: () => setMiddle(map.getCenter().lng) });
  return (
    <>
      {pins.map((pin) => (
        // A marker keeps the name that it was made with.
        <PinMarker
          key={`${pin.id} ${pin.label}`}
          pin={pin}
          lng={nearestTo(middle, pin.position.lng)}
          onPin={onPin}
        />
      ))}
      {window && (
        <Window
          key={window.key}
          lat={window.position.lat}
          lng={nearestTo(middle, window.position.lng)}
          content={window.content}
          covered={covered}
        />
      )}
    </>
  );
}

const credits =
  '<a href="https://leafletjs.com" target="_blank" rel="noopener">Leaflet</a> | Places: <a href="https://www.geonames.org" target="_blank" rel="noopener">GeoNames</a> (CC BY 4.0)';

const startOf = (aim: Aim): { center: Position; zoom: number } =>
  'box' in aim ? { center: centerOf(aim.box), zoom: 12 } : aim;

/** Leaflet's map, as every map here behaves. */
export function OpenMap({ settings, aim, pins, window, covered, onPin, onClick, onView }: MapProps) {
  const start = useRef(startOf(aim));
  const choose = useCallbackRef(onPin);
  return (
    <MapContainer
      className={classes.map ?? ''}
      {...start.current}
      minZoom={2}
      maxZoom={19}
      zoomControl={false}
      attributionControl={false}
      zoomAnimation={!still()}
      fadeAnimation={!still()}
    >
      <AttributionControl prefix={credits} />
      <ZoomControl position="bottomright" />
      <Tiles tiles={settings.tiles} />
      {/* They listen before the map is moved. */}
      <Standing pins={pins} window={window} covered={covered} onPin={choose} />
      <Telling onClick={onClick} onView={onView} />
      <Aiming aim={aim} covered={covered} />
    </MapContainer>
  );
}

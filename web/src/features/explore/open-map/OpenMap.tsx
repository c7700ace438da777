import 'leaflet/dist/leaflet.css';
import { useCallbackRef } from '@mantine/hooks';
import type { WebSettings } from '@wayquest/contracts';
import { type Map as LeafletMap, latLngBounds, type MapOptions, TileLayer, Util } from 'leaflet';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyOptional } from '../../../shared/lib/lazy-loading.ts';
import { mapColors } from '../../../shared/map/map-colors.ts';
import { centerOf, widthOf } from '../map/boxes.ts';
import type { LoadMapKit, MapProps, View, ViewportTarget } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import {
  boxOf,
  LeafletFrame,
  longCredit,
  nearestTo,
  osmLink,
  prefersReducedMotion,
  useMap,
  useMapEvents,
  wrapLongitude,
} from './leaflet-map.tsx';
import classes from './OpenMap.module.css';
import { createOpenFinder } from './open-finder.ts';
import { PinMarker } from './PinMarker.tsx';
import { PinWindow } from './PinWindow.tsx';

const BuiltInMap = lazyOptional(async () => (await import('./BuiltInMap.tsx')).BuiltInMap);

/** How long the first tile may take. */
const timeoutMs = 4_000;

/** This many consecutive failures mean that there are no tiles. */
const maxConsecutiveFailures = 6;

/** Escapes the setting. */
const attributionOf = (text: string) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace('OpenStreetMap', osmLink);
};

/** Whether tiles are available: tested with the one in the middle, to avoid dozens of failing requests. */
async function areTilesAvailable(url: string, map: LeafletMap): Promise<boolean> {
  const z = map.getZoom();
  const { x, y } = map.project(map.getCenter(), z).divideBy(256).floor();
  const tile = new Image();
  const isAvailable = new Promise<boolean>((resolve) => {
    tile.onload = () => resolve(true);
    tile.onerror = () => resolve(false);
    setTimeout(resolve, timeoutMs, false);
  });
  tile.src = Util.template(url, { s: 'a', r: '', z, x, y });
  return isAvailable;
}

/** The ground of the open map: tiles, or land and towns drawn by ourselves where there are none. */
function Tiles({ tiles: { url, attribution }, pins }: Pick<WebSettings, 'tiles'> & Pick<MapProps, 'pins'>) {
  const map = useMap();
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const tiles = new TileLayer(url, { attribution: attributionOf(attribution), maxZoom: 19 });
    let failures = 0;
    tiles.on('tileload', () => {
      failures = 0;
    });
    tiles.on('tileerror', () => {
      failures += 1;
      if (failures < maxConsecutiveFailures) return;
      tiles.remove();
      setDrawn(true);
    });
    let isCurrent = true;
    areTilesAvailable(url, map)
      .catch((error) => {
        console.warn('There is no URL of tiles', error);
        return false;
      })
      .then((can) => {
        if (!isCurrent) return;
        if (can) tiles.addTo(map);
        else setDrawn(true);
      });
    return () => {
      isCurrent = false;
      tiles.off().remove();
    };
  }, [map, url, attribution]);
  return (
    drawn && (
      <Suspense>
        <BuiltInMap pins={pins} />
      </Suspense>
    )
  );
}

const viewOf = (map: LeafletMap): View => {
  const { lat, lng } = map.getCenter();
  return { center: { lat, lng: wrapLongitude(lng) }, zoom: map.getZoom(), box: boxOf(map) };
};

function MapTarget({ target, coveredWidth }: Pick<MapProps, 'target' | 'coveredWidth'>) {
  const map = useMap();
  const followed = useRef(target);
  useEffect(() => {
    if (target === followed.current) return;
    followed.current = target;
    const animate = !prefersReducedMotion();
    const middle = map.getCenter().lng;
    if ('box' in target) {
      const { south, west, north } = target.box;
      const half = widthOf(target.box) / 2;
      const there = nearestTo(middle, west + half);
      map.fitBounds(latLngBounds([south, there - half], [north, there + half]), {
        animate,
        paddingTopLeft: [coveredWidth, 0],
      });
    } else {
      const { lat, lng } = target.center;
      map.setView([lat, nearestTo(middle, lng)], target.zoom, { animate });
    }
  }, [map, target, coveredWidth]);
  return null;
}

function MapEvents({ onClick, onView }: Pick<MapProps, 'onClick' | 'onView'>) {
  const map = useMap();
  useMapEvents({
    click: ({ latlng }) => onClick({ lat: latlng.lat, lng: wrapLongitude(latlng.lng) }),
    moveend: () => onView(viewOf(map)),
  });
  const notify = useRef(onView);
  useEffect(() => {
    // The page may have just given the map its size.
    map.invalidateSize({ pan: false });
    notify.current(viewOf(map));
  }, [map]);
  return null;
}

/** Positions repeat beyond the date line; pins and windows are placed at the nearest repetition. */
function MapContent({
  pins,
  window,
  coveredWidth,
  onPin,
}: Pick<MapProps, 'pins' | 'window' | 'coveredWidth' | 'onPin'>) {
  const map = useMap();
  const [middle, setMiddle] = useState(() => map.getCenter().lng);
  useMapEvents({ moveend: () => setMiddle(map.getCenter().lng) });
  return (
    <>
      {pins.map((pin) => (
        // A marker keeps its initial name.
        <PinMarker
          key={`${pin.id} ${pin.label}`}
          pin={pin}
          lng={nearestTo(middle, pin.position.lng)}
          onPin={onPin}
        />
      ))}
      {window && (
        <PinWindow
          key={window.key}
          lat={window.position.lat}
          lng={nearestTo(middle, window.position.lng)}
          content={window.content}
          coveredWidth={coveredWidth}
        />
      )}
    </>
  );
}

const leaflet = '<a href="https://leafletjs.com" target="_blank" rel="noopener">Leaflet</a>';
const geoNames = '<a href="https://www.geonames.org" target="_blank" rel="noopener">GeoNames</a> (CC BY 4.0)';

const optionsOf = (target: ViewportTarget): MapOptions => {
  const { center, zoom } = 'box' in target ? { center: centerOf(target.box), zoom: 12 } : target;
  const moves = !prefersReducedMotion();
  return {
    center,
    zoom,
    minZoom: 2,
    maxZoom: 19,
    zoomAnimation: moves,
    fadeAnimation: moves,
    inertia: moves,
  };
};

/** Leaflet's map behind the common interface. */
function OpenMap({ settings, target, pins, window, coveredWidth, onPin, onClick, onView }: MapProps) {
  const t = useTranslations();
  const choose = useCallbackRef(onPin);
  const credits = longCredit(`${leaflet} | ${t('creditOfPlaces')}`) + geoNames;
  return (
    <LeafletFrame className={`${classes.map} ${mapColors}`} options={optionsOf(target)} credits={credits}>
      <Tiles tiles={settings.tiles} pins={pins} />
      {/* Added before the map is moved, so that they get its events. */}
      <MapContent pins={pins} window={window} coveredWidth={coveredWidth} onPin={choose} />
      <MapEvents onClick={onClick} onView={onView} />
      <MapTarget target={target} coveredWidth={coveredWidth} />
    </LeafletFrame>
  );
}

/** Leaflet's map without an API key, with places from the places service. */
export const load: LoadMapKit = async (_settings, run) => ({ Map: OpenMap, finder: createOpenFinder(run) });

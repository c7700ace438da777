import type { WebSettings } from '@wayquest/contracts';
import { type Map as LeafletMap, TileLayer, Util } from 'leaflet';
import { Suspense, useEffect, useState } from 'react';
import { lazyExtra } from '../../../shared/lib/lazy-extra.ts';
import { useMap } from './leaflet-map.tsx';
import { osmLink } from './osm-link.ts';

const BuiltInMap = lazyExtra(async () => (await import('./BuiltInMap.tsx')).BuiltInMap);

/** How long the first tile may take. */
const timeoutMs = 4_000;

/** One tile may be missing; so many after each other are. */
const enoughFailures = 6;

/** A setting is text, not markup. */
const attributionOf = (text: string) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace('OpenStreetMap', osmLink);
};

/** Whether tiles are available: tested with the one in the middle, since a view would request dozens in vain. */
async function canBeHad(url: string, map: LeafletMap): Promise<boolean> {
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
export function Tiles({ tiles: { url, attribution } }: Pick<WebSettings, 'tiles'>) {
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
      if (failures < enoughFailures) return;
      tiles.remove();
      setDrawn(true);
    });
    let wanted = true;
    canBeHad(url, map)
      .catch((error) => {
        console.warn('There is no address of tiles', error);
        return false;
      })
      .then((can) => {
        if (!wanted) return;
        if (can) tiles.addTo(map);
        else setDrawn(true);
      });
    return () => {
      wanted = false;
      tiles.off().remove();
    };
  }, [map, url, attribution]);
  return (
    drawn && (
      <Suspense>
        <BuiltInMap />
      </Suspense>
    )
  );
}

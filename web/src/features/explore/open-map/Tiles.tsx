import type { WebSettings } from '@wayquest/contracts';
import { Control, type Map as LeafletMap, TileLayer, Util } from 'leaflet';
import { useEffect, useState } from 'react';
import { say } from '../words.ts';
import { BaseMap } from './base-map.ts';
import { useMap } from './leaflet-map.tsx';
import { TownNames } from './TownNames.tsx';

/** How long the first tile may take. */
const patienceMs = 4_000;

/** One tile may be missing; so many after each other are. */
const enoughFailures = 6;

const drawnFrom = 'Natural Earth, US Census Bureau';

/** A setting is text, not markup; OpenStreetMap asks for a link to its terms. */
const attributionOf = (text: string) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace(
    'OpenStreetMap',
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>',
  );
};

/** Whether there are tiles to be had: asked with the one in the middle, since a view would ask in vain for dozens. */
async function canBeHad(url: string, map: LeafletMap): Promise<boolean> {
  const z = map.getZoom();
  const { x, y } = map.project(map.getCenter(), z).divideBy(256).floor();
  const tile = new Image();
  const answered = new Promise<boolean>((resolve) => {
    tile.onload = () => resolve(true);
    tile.onerror = () => resolve(false);
    setTimeout(resolve, patienceMs, false);
  });
  tile.src = Util.template(url, { s: 'a', r: '', z, x, y });
  return answered;
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
  useEffect(() => {
    if (!drawn) return;
    const attribution = `${say('withoutStreets')} | ${drawnFrom}`;
    const ground = new BaseMap({ attribution, zIndex: 0 }).addTo(map);
    const scale = new Control.Scale({ position: 'bottomleft' }).addTo(map);
    // A tile keeps the colours that it was drawn in. Mantine's hook would tell as well, and be in everybody's first load.
    const scheme = new MutationObserver(() => ground.redraw());
    scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      scheme.disconnect();
      ground.remove();
      scale.remove();
    };
  }, [map, drawn]);
  return drawn && <TownNames />;
}

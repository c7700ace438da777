import type { WebSettings } from '@wayquest/contracts';
import { type Map as LeafletMap, TileLayer, Util } from 'leaflet';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { BaseMap } from './base-map.ts';

/** How long the first tile may take. */
const patienceMs = 4_000;

/** A setting is text, not markup; OpenStreetMap asks for a link to its terms. */
const attributionOf = (text: string) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace(
    'OpenStreetMap',
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>',
  );
};

/** Whether there are tiles to be had: asked with one of them, since a view would ask in vain for dozens. */
async function canBeHad(url: string): Promise<boolean> {
  const tile = new Image();
  const answered = new Promise<boolean>((resolve) => {
    tile.onload = () => resolve(true);
    tile.onerror = () => resolve(false);
    setTimeout(resolve, patienceMs, false);
  });
  tile.src = Util.template(url, { s: 'a', r: '', z: 0, x: 0, y: 0 });
  return answered;
}

/** Shows tiles, and the drawn map where there are none. Answers how to take both away. */
function showGround(map: LeafletMap, { url, attribution }: WebSettings['tiles']) {
  const tiles = new TileLayer(url, { attribution: attributionOf(attribution), maxZoom: 19 });
  const drawn = new BaseMap({ attribution: 'Natural Earth, US Census Bureau', zIndex: 0 });
  let wanted = true;
  tiles.once('tileerror', () => drawn.addTo(map));
  canBeHad(url).then((can) => wanted && (can ? tiles : drawn).addTo(map));
  return () => {
    wanted = false;
    tiles.off().remove();
    drawn.remove();
  };
}

/** The ground of the open map. */
export function Tiles({ tiles: { url, attribution } }: Pick<WebSettings, 'tiles'>) {
  const map = useMap();
  useEffect(() => showGround(map, { url, attribution }), [map, url, attribution]);
  return null;
}

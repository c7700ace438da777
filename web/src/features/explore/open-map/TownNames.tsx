import { useDebouncedValue } from '@mantine/hooks';
import type { Position } from '@wayquest/contracts';
import { divIcon, LayerGroup, type Map as LeafletMap, Marker, type Point } from 'leaflet';
import { useEffect, useState } from 'react';
import { lazyClient } from '../../../shared/lib/api.ts';
import { browserTokens } from '../../../shared/lib/tokens.ts';
import { boxOf, nearestTo } from './box-of.ts';
import { useMap, useMapEvents } from './leaflet-map.tsx';
import classes from './OpenMap.module.css';

interface Town {
  name: string;
  position: Position;
}

/** Further out, the names of countries, states and counties are enough. */
const leastZoom = 10;

/** About as much as a letter takes, and a line, in pixels. */
const [letter, line] = [8, 20];

const api = lazyClient(browserTokens);

/** A drag ends in several moves. */
const restMs = 300;

/** Those that have room beside each other; they come with the larger ones first. */
function withRoom(towns: Town[], map: LeafletMap): Town[] {
  const placed: { point: Point; width: number }[] = [];
  return towns.filter(({ name, position }) => {
    const point = map.latLngToLayerPoint(position);
    const width = name.length * letter;
    const crowded = placed.some(
      (other) =>
        Math.abs(other.point.x - point.x) < (other.width + width) / 2 &&
        Math.abs(other.point.y - point.y) < line,
    );
    if (!crowded) placed.push({ point, width });
    return !crowded;
  });
}

/** Writes the names of the larger towns on a map that has no tiles to name them. */
export function TownNames() {
  const map = useMap();
  const [moved, setMoved] = useState({});
  const [view] = useDebouncedValue(moved, restMs);
  const [names] = useState(() => new LayerGroup());
  useEffect(() => {
    names.addTo(map);
    return () => {
      names.remove();
    };
  }, [map, names]);
  useMapEvents({ moveend: () => setMoved({}) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again wherever the map comes to rest
  useEffect(() => {
    const write = (towns: Town[]) => {
      names.clearLayers();
      for (const town of towns) names.addLayer(nameMarker(town));
    };
    if (map.getZoom() < leastZoom) return write([]);
    let wanted = true;
    const { west, south, east, north } = boxOf(map);
    const bbox = [west, south, east, north].map((degrees) => degrees.toFixed(4)).join();
    const middle = map.getCenter().lng;
    const inView = ({ name, position: { lat, lng } }: Town): Town => ({
      name,
      position: { lat, lng: nearestTo(middle, lng) },
    });
    api()
      .then((client) => client.listTowns({ query: { bbox } }))
      .then(
        (found) => wanted && write(withRoom(found.map(inView), map)),
        (error) => console.warn('The names of the towns did not come', error),
      );
    return () => {
      wanted = false;
    };
  }, [map, names, view]);
  return null;
}

function nameMarker({ name, position }: Town) {
  const html = document.createElement('span');
  html.textContent = name;
  html.ariaHidden = 'true';
  return new Marker(position, {
    icon: divIcon({ className: classes.town ?? '', html, iconSize: [0, 0] }),
    interactive: false,
    keyboard: false,
    zIndexOffset: -10_000,
  });
}

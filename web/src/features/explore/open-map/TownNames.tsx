import { useDebouncedValue } from '@mantine/hooks';
import type { Position } from '@wayquest/contracts';
import { divIcon, LayerGroup, Marker } from 'leaflet';
import { useEffect, useState } from 'react';
import { lazyClient } from '../../../shared/lib/api.ts';
import { browserTokens } from '../../../shared/lib/tokens.ts';
import { withRoom } from '../../../shared/map/with-room.ts';
import { boxOf, nearestTo } from './box-of.ts';
import { useMap, useMapEvents } from './leaflet-map.tsx';
import classes from './OpenMap.module.css';

interface Town {
  name: string;
  position: Position;
}

/** Further out, the names of countries, states and counties are enough. */
const leastZoom = 10;

const api = lazyClient(browserTokens);

/** A drag ends in several moves. */
const restMs = 300;

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
    const inView = ({ name, position: { lat, lng } }: Town) => {
      const position = { lat, lng: nearestTo(middle, lng) };
      return { name, position, at: map.latLngToLayerPoint(position) };
    };
    api()
      .then((client) => client.listTowns({ query: { bbox } }))
      .then(
        (found) => wanted && write(withRoom(found.map(inView))),
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

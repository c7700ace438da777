import { Control } from 'leaflet';
import { useEffect, useState } from 'react';
import { translate } from '../translations.ts';
import { BuiltInMapLabels } from './BuiltInMapLabels.tsx';
import { BaseMap } from './base-map.ts';
import { useMap } from './leaflet-map.tsx';
import { osmLink } from './osm-link.ts';

const drawnFrom = `Natural Earth, US Census Bureau, ${osmLink}`;

/** The built-in map of land, water, borders and names, with a scale. */
export function BuiltInMap() {
  const map = useMap();
  const [ground] = useState(
    () => new BaseMap({ attribution: `${translate('withoutStreets')} | ${drawnFrom}`, zIndex: 0 }),
  );
  useEffect(() => {
    ground.addTo(map);
    const scale = new Control.Scale({ position: 'bottomleft' }).addTo(map);
    // A tile keeps its colors. Mantine's hook would report changes too, but would be part of the first load.
    const scheme = new MutationObserver(() => ground.redraw());
    scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      scheme.disconnect();
      ground.remove();
      scale.remove();
    };
  }, [map, ground]);
  return <BuiltInMapLabels ground={ground} />;
}

import type { BoundingBox } from '@wayquest/contracts';
import { Control, type LeafletEventHandlerFnMap, Map as LeafletMap, type MapOptions } from 'leaflet';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import classes from './leaflet-map.module.css';

const MapContext = createContext<LeafletMap | undefined>(undefined);

interface LeafletFrameProps {
  className: string;
  /** The initial view; a change moves nothing. */
  options: MapOptions;
  /** Attribution as HTML. */
  credits: string;
  /** The map's content, once it exists. */
  children: ReactNode;
}

/** An element that Leaflet draws its map in. */
export function LeafletFrame({ className, options, credits, children }: LeafletFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const initialOptions = useRef(options);
  const [attribution] = useState(() => new Control.Attribution({ prefix: false }));
  const [map, setMap] = useState<LeafletMap>();
  useLayoutEffect(() => {
    if (!frame.current) return;
    const leaflet = new LeafletMap(frame.current, {
      ...initialOptions.current,
      zoomControl: false,
      attributionControl: false,
    });
    attribution.addTo(leaflet);
    new Control.Zoom({ position: 'bottomright' }).addTo(leaflet);
    setMap(leaflet);
    return () => {
      leaflet.remove();
    };
  }, [attribution]);
  useLayoutEffect(() => {
    attribution.setPrefix(credits);
  }, [attribution, credits]);
  return (
    <div ref={frame} className={className}>
      {map && <MapContext value={map}>{children}</MapContext>}
    </div>
  );
}

/** The enclosing map. */
export function useMap(): LeafletMap {
  const map = useContext(MapContext);
  if (!map) throw new Error('There is no enclosing map');
  return map;
}

/** Listens to the map's events while mounted. */
export function useMapEvents(handlers: LeafletEventHandlerFnMap): void {
  const map = useMap();
  useEffect(() => {
    map.on(handlers);
    return () => {
      map.off(handlers);
    };
  }, [map, handlers]);
}

/** Longitudes repeat beyond the antimeridian; they have one longitude. */
export const wrapLongitude = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180;

/** The repetition of a longitude nearest to another one, which may itself lie beyond a date line. */
export const nearestTo = (middle: number, lng: number) => lng + 360 * Math.round((middle - lng) / 360);

/** The visible bounds. */
export function boxOf(map: LeafletMap): BoundingBox {
  const bounds = map.getBounds();
  const wide = bounds.getEast() - bounds.getWest() >= 360;
  return {
    west: wide ? -180 : wrapLongitude(bounds.getWest()),
    east: wide ? 180 : wrapLongitude(bounds.getEast()),
    south: Math.max(bounds.getSouth(), -90),
    north: Math.min(bounds.getNorth(), 90),
  };
}

/** In markup: OpenStreetMap asks for a link to its terms. */
export const osmLink =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>';

/** A part of the attribution, as HTML, that nobody requires. A phone, on which it would take three lines, does not show it. */
export const longCredit = (html: string) => `<span class="${classes.long}">${html}</span>`;

/** Whether the person prefers reduced motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

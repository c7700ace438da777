import type { Address, BoundingBox, Place, PlaceType, Position, WebSettings } from '@wayquest/contracts';
import type { ComponentType, ReactNode } from 'react';
import type { RunSaga } from '../../../shared/lib/use-mutation.ts';

/** The visible part of the map. */
export interface View {
  center: Position;
  zoom: number;
  box: BoundingBox;
}

/** The target of the viewport. A new value moves the map; the person may move it further. */
export type ViewportTarget = { center: Position; zoom: number } | { box: BoundingBox };

/** A pin that can be selected. */
export interface Pin {
  id: string;
  kind: 'challenge' | 'place' | 'cluster' | 'here';
  /** The state of a challenge for the person; by default open. */
  state?: 'open' | 'joined' | 'completed' | 'ended';
  /** The kind of place as an SVG path on 20 by 20. */
  glyph?: string;
  position: Position;
  /** Description for tooltips and screen readers. */
  label: string;
  /** The number of pins in a cluster. */
  count?: number;
  /** For a cluster of the server: the area to show for more. */
  box?: BoundingBox;
  /** Whether its window is open: no other pin hides it. */
  chosen?: boolean;
}

/** An info window at a position. Another key is another window. */
export interface MapWindow {
  key: string;
  position: Position;
  content: ReactNode;
}

/** The interface of every map. */
export interface MapProps {
  settings: WebSettings;
  target: ViewportTarget;
  pins: Pin[];
  window: MapWindow | null;
  /** How much of the left side is covered, in pixels; windows open beside that. */
  coveredWidth: number;
  onPin(pin: Pin): void;
  onClick(position: Position): void;
  /** Called after the first render, and after each move. */
  onView(view: View): void;
}

/** The address of a position: the known parts, and a line. */
export interface FoundAddress extends Address {
  label: string;
}

/** A suggestion while a person types an address. */
export interface Suggestion {
  id: string;
  label: string;
  /** Whether it contains all typed words; otherwise it is a near match. */
  matchesAll: boolean;
  /** Its place, if known already. */
  place?: Place;
}

/** All suggestions, most likely first. */
export interface Suggestions {
  found: Suggestion[];
  /** Not to be cached: a temporary fallback that knows less. */
  isFallback: boolean;
}

export interface Photo {
  url: string;
  /** The photographer, to be credited. */
  credit: string;
}

/** Looks up places and addresses. Rejects with LookupError. */
export interface PlaceFinder {
  suggest(text: string, near: Position): Promise<Suggestions>;
  /** The place of a suggestion. */
  resolve(suggestion: Suggestion): Promise<Place>;
  reverse(position: Position): Promise<FoundAddress>;
  nearby(type: PlaceType, around: Position): Promise<Place[]>;
  /** A photo of the place, or none; only if the provider has photos. */
  photo?(place: Place): Promise<Photo | null>;
}

/** A failed lookup, with the status of the call, or the code of the map's provider. */
export class LookupError extends Error {
  readonly status: string;
  constructor(status: string | number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LookupError';
    this.status = String(status);
  }
}

/** A map and its finder. */
export interface MapKit {
  Map: ComponentType<MapProps>;
  finder: PlaceFinder;
}

/** Loads a map's code; rejects if it cannot be loaded. */
export type LoadMapKit = (settings: WebSettings, run: RunSaga) => Promise<MapKit>;

/** The edges of an element on the screen, in pixels. */
type Edges = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** Minimum gap between a window and the edge of its map. */
const gap = 16;

/** Returns how far a map has to move until a whole box is visible; the upper left corner takes precedence. */
export function panOffset(box: Edges, frame: Edges): [x: number, y: number] {
  const along = (from: number, to: number, start: number, end: number) =>
    from < start + gap ? from - start - gap : Math.max(0, Math.min(to - end + gap, from - start - gap));
  return [
    along(box.left, box.right, frame.left, frame.right),
    along(box.top, box.bottom, frame.top, frame.bottom),
  ];
}

import type { Address, BoundingBox, Place, PlaceType, Position, WebSettings } from '@wayquest/contracts';
import type { ComponentType, ReactNode } from 'react';

/** What a map shows of the world. */
export interface View {
  center: Position;
  zoom: number;
  box: BoundingBox;
}

/** Where a map is to look. A new value moves it; the person may move it further. */
export type ViewportTarget = { center: Position; zoom: number } | { box: BoundingBox };

/** Something on the map that can be chosen. */
export interface Pin {
  id: string;
  kind: 'challenge' | 'place' | 'cluster' | 'here';
  /** Of a challenge, open if nothing is said: what matters most to the person. */
  state?: 'open' | 'joined' | 'completed' | 'ended';
  /** What kind of place it is at, as a path on 20 by 20. */
  glyph?: string;
  position: Position;
  /** Says it in words, for who points at it and for who cannot see it. */
  label: string;
  /** The number of pins in a cluster. */
  count?: number;
  /** What the server counted together: the part of the map to look at for more. */
  box?: BoundingBox;
  /** Whose window is open: no other hides it. */
  chosen?: boolean;
}

/** An info window over a spot on the map. Another key is another window. */
export interface MapWindow {
  key: string;
  position: Position;
  content: ReactNode;
}

/** The interface of every map. */
export interface MapProps {
  settings: WebSettings;
  aim: ViewportTarget;
  pins: Pin[];
  window: MapWindow | null;
  /** How much of its left side lies under something else, in pixels; windows open beside that. */
  covered: number;
  onPin(pin: Pin): void;
  onClick(position: Position): void;
  /** When it is first drawn, and after each move. */
  onView(view: View): void;
}

/** The address of a spot: in parts as far as they are known, and as a line. */
export interface FoundAddress extends Address {
  label: string;
}

/** A suggestion while a person types an address. */
export interface Suggestion {
  id: string;
  label: string;
  /** Whether it is what was typed, word for word; if not it is a guess. */
  matchesAll: boolean;
  /** Its place, if known already. */
  place?: Place;
}

/** All suggestions, most likely first. */
export interface Suggestions {
  found: Suggestion[];
  /** Not to be cached: a temporary fallback that knows less. */
  standIn: boolean;
}

export interface Photo {
  url: string;
  /** Who took it; to be named beside it. */
  credit: string;
}

/** Looks places and addresses up. Rejects with LookupError. */
export interface PlaceFinder {
  suggest(text: string, near: Position): Promise<Suggestions>;
  /** The place of a suggestion. */
  resolve(suggestion: Suggestion): Promise<Place>;
  reverse(position: Position): Promise<FoundAddress>;
  nearby(type: PlaceType, around: Position): Promise<Place[]>;
  /** A photo of the place, or none; only if the provider has photos. */
  photo?(place: Place): Promise<Photo | null>;
}

/** A lookup that failed: the status of the call, or the code that the map's maker gave. */
export class LookupError extends Error {
  readonly status: string;
  constructor(status: string | number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LookupError';
    this.status = String(status);
  }
}

/** A map, and who looks things up for it. */
export interface MapKit {
  Map: ComponentType<MapProps>;
  finder: PlaceFinder;
}

/** Loads a map's code; rejects when it cannot be had. */
export type LoadMapKit = (settings: WebSettings) => Promise<MapKit>;

import {
  type Difficulty,
  difficulties,
  type PlaceType,
  type Position,
  placeTypes,
} from '@wayquest/contracts';
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { mapStart } from '../../entities/challenges/location.ts';
import { formatPosition, parseOption, readInteger, readPosition } from '../../shared/lib/query-params.ts';

/** Filters of the map's challenges. */
export interface Filters {
  difficulty: Difficulty | null;
  /** Only challenges that are open now. */
  open: boolean;
  /** Only challenges that the person joined. */
  joined: boolean;
  search: string;
}

/** All challenges. */
export const noFilters: Filters = { difficulty: null, open: false, joined: false, search: '' };

/** Whether some challenges are left out. */
export const isFiltered = (filters = noFilters) =>
  !!(filters.difficulty || filters.open || filters.joined || filters.search.trim());

/** The state of the map in the URL, which can be shared. */
export interface ExploreAddress {
  center: Position;
  zoom: number;
  filters: Filters;
  placeType: PlaceType | null;
  /** The selected challenge or position, whose window is open. */
  challengeId: number | null;
  spot: Position | null;
}

const startZoom = 12;

/** A center of the map, and how close it is. */
type Start = Pick<ExploreAddress, 'center' | 'zoom'>;

/** Where the map starts unless something else is known. */
const defaultStart: Start = { center: mapStart, zoom: startZoom };

/** Where the map starts for somebody whose position is known. */
export const startAt = (center: Position): Start => ({ center, zoom: startZoom });

/**
 * Missing and invalid values get their defaults.
 *
 * @param start - Where the map starts.
 */
export function readAddress(query: URLSearchParams, start = defaultStart): ExploreAddress {
  const center = readPosition(query.get('at'));
  return {
    center: center ?? start.center,
    zoom: readInteger(query.get('zoom'), 2, 19) ?? (center ? startZoom : start.zoom),
    filters: {
      difficulty: parseOption(difficulties, query.get('difficulty')),
      open: query.get('open') === '1',
      joined: query.get('joined') === '1',
      search: query.get('search')?.slice(0, 80) ?? '',
    },
    placeType: parseOption(placeTypes, query.get('type')),
    challengeId: readInteger(query.get('challenge'), 1, Number.MAX_SAFE_INTEGER),
    spot: readPosition(query.get('spot')),
  };
}

/** The state as a query string, without defaults. */
export function writeAddress({
  center,
  zoom,
  filters,
  placeType,
  challengeId,
  spot,
}: ExploreAddress): string {
  const { difficulty, open, joined, search } = filters;
  const parameters = {
    // Four decimals are about ten meters.
    at: formatPosition(center, 4),
    zoom: String(zoom),
    difficulty,
    open: open && '1',
    joined: joined && '1',
    search,
    type: placeType,
    challenge: challengeId && String(challengeId),
    spot: spot && formatPosition(spot, 5),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `?${query}`;
}

/**
 * Returns the map's state in the URL, and a function to change parts of it.
 *
 * @param start - Where the map starts if the URL has no position.
 */
export function useExploreAddress(start: Start | undefined) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The map may stop while the next page is loading, whose URL must not be changed. Routes match in any case, and the
  // spec writes '/Explore'.
  const ownPath = useRef(pathname.toLowerCase());
  const address = useMemo(() => readAddress(new URLSearchParams(search), start), [search, start]);
  const change = useCallback(
    (part: Partial<ExploreAddress>) => {
      if (location.pathname.toLowerCase() !== ownPath.current) return;
      // Not the rendered state: changes can come faster than renders.
      const latest = readAddress(new URLSearchParams(location.search), start);
      const query = writeAddress({ ...latest, ...part });
      if (query !== location.search) navigate(query, { replace: true, preventScrollReset: true });
    },
    [navigate, start],
  );
  return { address, change, isHere: pathname.toLowerCase() === ownPath.current };
}

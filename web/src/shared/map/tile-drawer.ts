import type {
  BaseMapColors,
  DrawingResponse,
  NamedPoint,
  NamesRequest,
  TileRequest,
} from './base-map.worker.ts';

/** The map's colors at an element. */
export const colorsAt = (element: Element): BaseMapColors => {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--wq-map-${name}`);
  return {
    land: color('land'),
    water: color('water'),
    shore: color('shore'),
    border: color('border'),
    text: color('text'),
  };
};

/** Device pixels per CSS pixel, at most 2. */
export const drawnScale = (): number => Math.min(devicePixelRatio, 2);

/** Draws a map of land, water, states and counties in a worker, without a tile server. */
export interface TileDrawer {
  draw(order: Omit<TileRequest, 'id'>): Promise<ImageBitmap>;
  /** Returns the names of the counties in a part of the map, larger ones first. */
  namesIn(part: Omit<NamesRequest, 'id'>): Promise<NamedPoint[]>;
  /** Pending requests never resolve. */
  close(): void;
}

export function createTileDrawer(): TileDrawer {
  const worker = new Worker(new URL('./base-map.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (drawn: DrawingResponse) => void>();
  let nextId = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<DrawingResponse>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  const request = (order: Omit<TileRequest, 'id'> | Omit<NamesRequest, 'id'>): Promise<DrawingResponse> =>
    new Promise((resolve) => {
      const id = ++nextId;
      waiting.set(id, resolve);
      worker.postMessage({ ...order, id });
    });
  return {
    async draw(order: Omit<TileRequest, 'id'>): Promise<ImageBitmap> {
      const { picture, error } = await request(order);
      if (picture) return picture;
      console.warn('A part of the map could not be drawn', error);
      throw new Error(error);
    },

    namesIn: async (part: Omit<NamesRequest, 'id'>): Promise<NamedPoint[]> =>
      (await request(part)).names ?? [],

    close() {
      worker.terminate();
      waiting.clear();
    },
  };
}

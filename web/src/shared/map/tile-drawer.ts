import type { BaseMapColors, DrawnTile, TileOrder } from './base-map.worker.ts';
import classes from './map-colors.module.css';

/** What colours a drawn map, by day and by night. */
export const mapColors = classes.colors ?? '';

/** The colours that are around an element. */
export const colorsAt = (element: Element): BaseMapColors => {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--wq-map-${name}`);
  return { land: color('land'), water: color('water'), border: color('border'), text: color('text') };
};

/** How many pixels of the screen are drawn for one of the page. */
export const drawnScale = (): number => Math.min(devicePixelRatio, 2);

/** Draws a map of land, water, states and counties that needs nobody's tiles, beside the page's own thread. */
export function createTileDrawer() {
  const worker = new Worker(new URL('./base-map.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (drawn: DrawnTile) => void>();
  let orders = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<DrawnTile>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  return {
    draw: (order: Omit<TileOrder, 'id'>): Promise<ImageBitmap> =>
      new Promise((resolve, reject) => {
        const id = ++orders;
        waiting.set(id, ({ picture, error }) => {
          if (picture) return resolve(picture);
          console.warn('A part of the map was not drawn', error);
          reject(new Error(error));
        });
        worker.postMessage({ ...order, id } satisfies TileOrder);
      }),

    /** What is under way is never answered. */
    close() {
      worker.terminate();
      waiting.clear();
    },
  };
}

export type TileDrawer = ReturnType<typeof createTileDrawer>;

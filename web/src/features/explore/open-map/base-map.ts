import { type Coords, type DoneCallback, GridLayer } from 'leaflet';
import type { BaseMapColors, DrawnTile, TileOrder } from './base-map.worker.ts';

const colorsOf = (element: Element): BaseMapColors => {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--wq-map-${name}`);
  return { land: color('land'), water: color('water'), border: color('border'), text: color('text') };
};

/** A map of land, water, states and counties that needs nobody's tiles. It is drawn beside the page's own thread. */
export class BaseMap extends GridLayer {
  #worker: Worker | undefined;
  #waiting = new Map<number, (drawn: DrawnTile) => void>();
  #orders = 0;

  override onAdd(map: L.Map): this {
    const worker = new Worker(new URL('./base-map.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<DrawnTile>) => {
      this.#waiting.get(data.id)?.(data);
      this.#waiting.delete(data.id);
    });
    this.#worker = worker;
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    this.#worker?.terminate();
    this.#waiting.clear();
    return super.onRemove(map);
  }

  protected override createTile({ x, y, z }: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    const scale = Math.min(devicePixelRatio, 2);
    canvas.width = 256 * scale;
    canvas.height = 256 * scale;
    const id = ++this.#orders;
    this.#waiting.set(id, ({ picture, error }) => {
      if (picture) canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
      if (error) console.warn('A part of the map was not drawn', error);
      done(error ? new Error(error) : undefined, canvas);
    });
    const order: TileOrder = {
      id,
      tile: { x, y, z },
      scale,
      colors: colorsOf(this.getContainer() ?? canvas),
    };
    this.#worker?.postMessage(order);
    return canvas;
  }
}

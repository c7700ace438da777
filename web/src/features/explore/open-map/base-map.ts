import { type Coords, type DoneCallback, GridLayer } from 'leaflet';
import { colorsAt, createTileDrawer, drawnScale, type TileDrawer } from '../../../shared/map/tile-drawer.ts';

/** A map that needs nobody's tiles. */
export class BaseMap extends GridLayer {
  #drawer: TileDrawer | undefined;

  override onAdd(map: L.Map): this {
    this.#drawer = createTileDrawer();
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    this.#drawer?.close();
    return super.onRemove(map);
  }

  protected override createTile(tile: Coords, done: DoneCallback): HTMLElement {
    const { x, y, z } = tile;
    const canvas = document.createElement('canvas');
    const scale = drawnScale();
    canvas.width = 256 * scale;
    canvas.height = 256 * scale;
    const colors = colorsAt(this.getContainer() ?? canvas);
    this.#drawer?.draw({ tile: { x, y, z }, scale, colors }).then(
      (picture) => {
        canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
        done(undefined, canvas);
      },
      (error: Error) => done(error, canvas),
    );
    return canvas;
  }
}

import { type Coords, type DoneCallback, GridLayer, type LatLngBounds } from 'leaflet';
import type { NamedPoint } from '../../../shared/map/base-map.worker.ts';
import { project } from '../../../shared/map/mercator.ts';
import { colorsAt, createTileDrawer, drawnScale, type TileDrawer } from '../../../shared/map/tile-drawer.ts';

/** Map layer drawn locally, without a tile server. */
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

  /** The names of the counties in a part of the map, those of the larger ones first. */
  async countiesIn(bounds: LatLngBounds): Promise<NamedPoint[]> {
    const [from, to] = [bounds.getNorthWest(), bounds.getSouthEast()];
    const found = this.#drawer?.namesIn({ from: project(from.lng, from.lat), to: project(to.lng, to.lat) });
    return (await found) ?? [];
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

import { positionInView, tilesOf, viewOf } from '../src/shared/map/mini-view.ts';

const size = { width: 600, height: 300 };

test.each([
  ['one position', [{ lat: 40.76, lng: -73.82 }], 12],
  [
    'two positions in a town',
    [
      { lat: 40.76, lng: -73.82 },
      { lat: 40.7, lng: -73.9 },
    ],
    12,
  ],
  [
    'two positions on different continents',
    [
      { lat: 40.76, lng: -73.82 },
      { lat: 52.52, lng: 13.4 },
    ],
    3,
  ],
  [
    'positions on both sides of the date line',
    [
      { lat: -17.7, lng: 178 },
      { lat: -13.8, lng: -172 },
    ],
    6,
  ],
  ['a pole', [{ lat: 90, lng: 0 }], 12],
])('a small map shows %s at the highest zoom at which all of it is visible', (_what, positions, zoom) => {
  const view = viewOf(positions, size);
  expect(view.zoom).toBe(zoom);
  for (const position of positions) {
    const { x, y } = positionInView(view, position);
    expect([x >= 30 && x <= 570, y >= 30 && y <= 270]).toEqual([true, true]);
  }
});

test('the tiles of a small map at the date line have no gap', () => {
  const view = viewOf([{ lat: 0, lng: 179.99 }], size);
  const tiles = tilesOf(view);
  const last = 2 ** view.zoom - 1;
  expect(new Set(tiles.map(({ tile }) => tile.x))).toEqual(new Set([last - 1, last, 0, 1]));
  expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(0);
  expect(Math.max(...tiles.map(({ left }) => left)) + view.tile).toBeGreaterThanOrEqual(size.width);
});

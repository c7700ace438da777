import { readdirSync, readFileSync } from 'node:fs';
import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import { looksIn, scenes } from '../src/entities/challenges/pictures/PlacePicture.tsx';
import { lookOf, variationOf } from '../src/entities/challenges/pictures/variation.ts';
import { contentOf } from '../src/shared/ui/Drawing.tsx';

const ids = [1, 2, 3, 4, 5, 6, 7, 8];
const folder = new URL('../src/entities/challenges/pictures/', import.meta.url);
const svgFiles = ['scenes/', 'backdrop/'].flatMap((name) =>
  readdirSync(new URL(name, folder)).map((file) => name + file),
);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

test('each place category has several pictures, and shares none with another place category', () => {
  expect([...scenes.keys()].sort()).toEqual([...placeCategories].sort());
  const all = [...scenes.values()].flat();
  expect(new Set(all).size).toBe(all.length);
  for (const [placeCategory, files] of scenes)
    expect([placeCategory, files.length > 1]).toEqual([placeCategory, true]);
});

test('an SVG file is a document with a view box, whose content can be inlined', () => {
  expect(svgFiles.length).toBeGreaterThan(placeCategories.length);
  for (const file of svgFiles) {
    const text = read(file);
    expect([file, text]).toEqual([
      file,
      expect.stringMatching(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[-\d. ]+">\n[\s\S]+\n<\/svg>\n$/,
      ),
    ]);
    const content = contentOf(text);
    const count = (pattern: RegExp) => content.match(pattern)?.length ?? 0;
    expect([file, count(/<g\b/g)]).toEqual([file, count(/<\/g>/g)]);
    expect(content).not.toContain('svg');
  }
});

// Text is excluded too, since it would be clipped.
test('pictures contain only elements that the renderer of stamps supports, and variables with a fallback', () => {
  for (const file of svgFiles) {
    const content = contentOf(read(file));
    const tags = new Set(content.match(/<\w+/g));
    expect([...tags].filter((tag) => !['<circle', '<ellipse', '<g', '<path'].includes(tag))).toEqual([]);
    expect(content).not.toMatch(/<g [^>]*opacity/);
    for (const [, color] of content.matchAll(/(?:fill|stroke)="([^"]*)"/g))
      expect(color).toMatch(/^(none|#[0-9a-f]{6}|var\(--[a-z]+, #[0-9a-f]{6}\))$/);
  }
});

test('consecutive challenges differ in the time of day and the composition, and the same one is always the same', () => {
  const look = (id: number) => {
    const { paint, pick } = variationOf(id);
    return { ...lookOf(id, 3), paint, picked: pick(['a', 'b', 'c'], 1) };
  };
  for (const id of ids) {
    expect(look(id).hour).not.toBe(look(id + 1).hour);
    expect(look(id).composition).not.toBe(look(id + 1).composition);
    expect(look(id)).toEqual(look(id));
  }
});

describe('the drawings of a list (53, finding 17)', () => {
  const challenge = (id: number, placeCategory: PlaceCategory) => ({
    ...{ id, name: `Challenge ${id}`, locationName: '', placeCategory },
  });
  const drawn = (looks: ReturnType<typeof looksIn>, id: number) => JSON.stringify(looks.get(id));

  test.each(placeCategories)(
    'differ among twelve in a row, even if each is of the category %s',
    (category) => {
      // Ids in steps of 15, at which own looks repeat, and by chance in no order.
      for (const idOf of [(nth: number) => 15 * nth + 1, (nth: number) => (nth * 7_919) % 1_009]) {
        const list = Array.from({ length: 40 }, (_, nth) => challenge(idOf(nth), category));
        const looks = looksIn(list);
        const shapes = list.map(({ id }) => drawn(looks, id));
        for (let first = 0; first + 12 <= list.length; first += 1)
          expect(new Set(shapes.slice(first, first + 12)).size).toBe(12);
        // Neighbors are not even of the same composition.
        const compositions = list.map(({ id }) => looks.get(id)?.composition);
        for (const [nth, composition] of compositions.entries())
          expect(composition).not.toBe(compositions[nth + 1]);
        // More pages change nothing above them.
        const shorter = looksIn(list.slice(0, 20));
        expect(list.slice(0, 20).map(({ id }) => drawn(shorter, id))).toEqual(shapes.slice(0, 20));
      }
    },
  );

  test('are as everywhere else if they differ anyway', () => {
    const list = placeCategories.map((category, nth) => challenge(nth + 1, category));
    const looks = looksIn(list);
    for (const { id, placeCategory } of list)
      expect(looks.get(id)).toEqual(lookOf(id, scenes.get(placeCategory)?.length ?? 0));
  });
});

import { scenes as kinds } from '@wayquest/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { scenes } from '../src/entities/challenges/pictures/scenes.tsx';
import { variationOf } from '../src/entities/challenges/pictures/variation.ts';

const ids = [1, 2, 3, 4, 5, 6, 7, 8];
const drawn = (kind: (typeof kinds)[number]) =>
  ids.map((id) => renderToStaticMarkup(scenes[kind](variationOf(id))));

test('a kind of place has several pictures, and shares none with another kind', () => {
  const all = kinds.flatMap((kind) => [...new Set(drawn(kind))]);
  expect(new Set(all).size).toBe(all.length);
  for (const kind of kinds) expect([kind, new Set(drawn(kind)).size > 1]).toEqual([kind, true]);
});

// Also text, which would be cut off somewhere.
test('no picture contains what the renderer of shared pictures cannot draw', () => {
  const tags = kinds.flatMap((kind) => drawn(kind).flatMap((markup) => markup.match(/<\w+/g) ?? []));
  expect([...new Set(tags)].sort()).toEqual(['<circle', '<ellipse', '<g', '<path']);
  for (const kind of kinds) for (const markup of drawn(kind)) expect(markup).not.toMatch(/<g [^>]*opacity/);
});

test('consecutive challenges differ in the hour, and the same one is always drawn the same', () => {
  for (const id of ids) {
    expect(variationOf(id).hour).not.toBe(variationOf(id + 1).hour);
    expect(variationOf(id).paint).toBe(variationOf(id).paint);
  }
});

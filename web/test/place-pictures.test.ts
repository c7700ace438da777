import { placeCategories } from '@wayquest/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { scenes } from '../src/entities/challenges/pictures/PlacePicture.tsx';
import { variationOf } from '../src/entities/challenges/pictures/parts.tsx';

const ids = [1, 2, 3, 4, 5, 6, 7, 8];
const renderAll = (placeCategory: (typeof placeCategories)[number]) =>
  ids.map((id) => renderToStaticMarkup(scenes[placeCategory](variationOf(id))));

test('each place category has several pictures, and shares none with another place category', () => {
  const all = placeCategories.flatMap((placeCategory) => [...new Set(renderAll(placeCategory))]);
  expect(new Set(all).size).toBe(all.length);
  for (const placeCategory of placeCategories)
    expect([placeCategory, new Set(renderAll(placeCategory)).size > 1]).toEqual([placeCategory, true]);
});

// Text is excluded too, since it would be clipped.
test('pictures contain only elements that the renderer of shared pictures supports', () => {
  const tags = placeCategories.flatMap((placeCategory) =>
    renderAll(placeCategory).flatMap((markup) => markup.match(/<\w+/g) ?? []),
  );
  expect([...new Set(tags)].sort()).toEqual(['<circle', '<ellipse', '<g', '<path']);
  for (const placeCategory of placeCategories)
    for (const markup of renderAll(placeCategory)) expect(markup).not.toMatch(/<g [^>]*opacity/);
});

test('consecutive challenges differ in the time of day, and the same one always has the same colors', () => {
  for (const id of ids) {
    expect(variationOf(id).hour).not.toBe(variationOf(id + 1).hour);
    expect(variationOf(id).paint).toBe(variationOf(id).paint);
  }
});

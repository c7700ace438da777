import { scenes as sceneNames } from '@wayquest/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { scenes } from '../src/entities/challenges/pictures/scenes.tsx';
import { variationOf } from '../src/entities/challenges/pictures/variation.ts';

const ids = [1, 2, 3, 4, 5, 6, 7, 8];
const renderAll = (scene: (typeof sceneNames)[number]) =>
  ids.map((id) => renderToStaticMarkup(scenes[scene](variationOf(id))));

test('each scene has several pictures, and shares none with another scene', () => {
  const all = sceneNames.flatMap((scene) => [...new Set(renderAll(scene))]);
  expect(new Set(all).size).toBe(all.length);
  for (const scene of sceneNames) expect([scene, new Set(renderAll(scene)).size > 1]).toEqual([scene, true]);
});

// Text is excluded too, since it would be clipped.
test('pictures contain only elements that the renderer of shared pictures supports', () => {
  const tags = sceneNames.flatMap((scene) =>
    renderAll(scene).flatMap((markup) => markup.match(/<\w+/g) ?? []),
  );
  expect([...new Set(tags)].sort()).toEqual(['<circle', '<ellipse', '<g', '<path']);
  for (const scene of sceneNames)
    for (const markup of renderAll(scene)) expect(markup).not.toMatch(/<g [^>]*opacity/);
});

test('consecutive challenges differ in the time of day, and the same one always has the same colors', () => {
  for (const id of ids) {
    expect(variationOf(id).hour).not.toBe(variationOf(id + 1).hour);
    expect(variationOf(id).paint).toBe(variationOf(id).paint);
  }
});

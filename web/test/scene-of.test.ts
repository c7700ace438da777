import { sceneOf } from '@wayquest/contracts';

test.each([
  ['Kissena Park', 'park'],
  ['Queens Museum', 'museum'],
  ['Museum of the Moving Image', 'museum'],
  ['Kew Gardens Cinemas', 'cinema'],
  ['Terraza 7 Jazz Club', 'club'],
  ['Flushing Library', 'library'],
  ['Corner Café', 'restaurant'],
  ['Unisphere', 'attraction'],
  ['The Barclay', 'attraction'],
])('%s is drawn as a %s', (locationName, scene) => {
  expect(sceneOf({ name: '', locationName })).toBe(scene);
});

test('the name of the challenge helps when the place says nothing', () => {
  expect(sceneOf({ name: 'Dumplings for two', locationName: 'Prince Street' })).toBe('restaurant');
});

import { loadSettings } from '@wayquest/platform/settings';
import { externalConfigOf, settings } from '../src/settings.ts';

const load = (changes: NodeJS.ProcessEnv = {}) => loadSettings(settings, changes);
const contact = { PLACES_CONTACT: 'maps@wayquest.example' };

it('settings use no external service by default', () => {
  expect(externalConfigOf(load())).toBeUndefined();
  expect(externalConfigOf(load(contact))).toBeUndefined();
});

it('settings configure external services with one request a second', () => {
  expect(externalConfigOf(load({ ...contact, PLACES_GEOCODER: 'nominatim' }))).toEqual({
    geocoder: { kind: 'nominatim', url: 'https://nominatim.openstreetmap.org' },
    contact: 'maps@wayquest.example',
    requestsPerSecond: 1,
  });
  expect(
    externalConfigOf(load({ ...contact, PLACES_GEOCODER: 'photon', PHOTON_URL: 'http://photon:2322/' })),
  ).toMatchObject({ geocoder: { kind: 'photon', url: 'http://photon:2322' } });
  expect(
    externalConfigOf(load({ ...contact, OVERPASS_URL: 'https://overpass.example/api/interpreter' })),
  ).toMatchObject({ overpassUrl: 'https://overpass.example/api/interpreter' });
});

it.each([
  ['PLACES_GEOCODER', { ...contact, PLACES_GEOCODER: 'google' }, 'must be embedded, photon or nominatim'],
  ['PLACES_CONTACT', { PLACES_GEOCODER: 'photon' }, 'must be an e-mail or web address'],
  ['PLACES_CONTACT', { OVERPASS_URL: 'https://overpass.example' }, 'must be an e-mail or web address'],
  ['PHOTON_URL', { PHOTON_URL: 'photon' }, 'must be an http:// or https:// address'],
  ['NOMINATIM_URL', { NOMINATIM_URL: 'ftp://nominatim.example' }, 'must be an http:// or https:// address'],
  ['OVERPASS_URL', { ...contact, OVERPASS_URL: 'x' }, 'must be an http:// or https:// address'],
  ['PLACES_REQUESTS_PER_SECOND', { PLACES_REQUESTS_PER_SECOND: '0' }, ''],
])('settings reject an invalid %s %#', (name, changes, sentence) => {
  expect(() => load(changes)).toThrow(`${name}: ${sentence}`);
});

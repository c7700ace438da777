import { loadSettings } from '@wayquest/platform/settings';
import { webSettingsOf, webSettingsSchema } from '../src/web-settings.ts';
import { cleanUp, startGateway, unreachableUrl } from './support.ts';

afterEach(cleanUp);

const read = (env: Record<string, string>) => webSettingsOf(loadSettings(webSettingsSchema, env));

const served = async (env: Record<string, string>) => {
  const gateway = await startGateway(unreachableUrl, { webSettings: read(env) });
  const reply = await fetch(`${gateway.url()}/api/settings`);
  return { settings: await reply.json(), policy: reply.headers.get('content-security-policy') };
};

it('uses OpenStreetMap’s tiles by default, and allows no other scripts', async () => {
  const { settings, policy } = await served({ GOOGLE_MAPS_API_KEY: '' });
  expect(settings).toEqual({
    googleMapsApiKey: null,
    tiles: {
      url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      attribution: '© OpenStreetMap contributors',
    },
  });
  expect(policy).toContain("img-src 'self' data: https://tile.openstreetmap.org;");
  expect(policy).toContain("script-src 'self';");
});

it('serves the Google key of the process, and allows what that map loads', async () => {
  const { settings, policy } = await served({ GOOGLE_MAPS_API_KEY: 'a key\n' });
  expect(settings.googleMapsApiKey).toBe('a key');
  expect(policy).toContain("script-src 'self' https://maps.googleapis.com https://maps.gstatic.com;");
  expect(policy).not.toContain('unsafe');
});

it.each(['{s}', '{s}-tiles', 'tiles-{s}'])('allows tiles from every subdomain of %s', async (subdomain) => {
  const { policy } = await served({ MAP_TILES_URL: `https://${subdomain}.maps.example/{z}/{x}/{y}.png` });
  expect(policy).toContain('https://*.maps.example;');
});

it.each(['tiles.example/{z}/{x}/{y}', 'https://tiles.example/map.png'])('rejects the tile URL %s', (url) => {
  expect(() => read({ MAP_TILES_URL: url })).toThrow(/MAP_TILES_URL: must/);
});

it('serves where the map starts, if the operator chose it', async () => {
  const startOf = async (env: Record<string, string>) => (await served(env)).settings.start;
  expect(await startOf({ MAP_START: '52.52,13.41' })).toEqual({
    center: { lat: 52.52, lng: 13.41 },
    zoom: 12,
  });
  expect(await startOf({ MAP_START: '-33.9, -70', MAP_START_ZOOM: '2' })).toEqual({
    center: { lat: -33.9, lng: -70 },
    zoom: 2,
  });
  expect(await startOf({ MAP_START_ZOOM: '2' })).toBeUndefined();
});

it.each(['Berlin', '52.52', '52.52 13.41', '86,13', '52,181', '52,13,1', '5e1,13'])(
  'rejects a start at %s',
  (start) => {
    expect(() => read({ MAP_START: start })).toThrow(
      'MAP_START: must be a latitude from -85 to 85 and a longitude from -180 to 180, as 52.52,13.41',
    );
  },
);

it.each(['1', '20', 'near'])('rejects a zoom of %s', (zoom) => {
  expect(() => read({ MAP_START_ZOOM: zoom })).toThrow(
    'MAP_START_ZOOM: must be a whole number, from 2 to 19',
  );
});

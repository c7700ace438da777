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

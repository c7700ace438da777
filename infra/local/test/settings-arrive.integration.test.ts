import { CallError } from '@wayquest/contracts';
import { loadSettings } from '@wayquest/platform/settings';
import { type InProcessOptions, type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';
import { allInOneSettings } from '../src/settings.ts';

const networks: Network[] = [];
const start = async (options: InProcessOptions) => {
  const network = await startNetwork(options);
  networks.push(network);
  return network;
};
afterEach(async () => {
  for (const network of networks.splice(0)) await network.stop();
});

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => (error instanceof CallError ? error.status : error),
  );

test('RATE_LIMIT_PER_IP limits the calls of an address', async () => {
  const { client } = await start({ settings: { RATE_LIMIT_PER_IP: '2' } });
  const calls = [1, 2, 3].map(() => statusOf(client().getLeaderboard()));
  expect((await Promise.all(calls)).sort()).toEqual([200, 200, 429]);
});

test('with TRUSTED_PROXIES, limits apply per client behind the proxies, and https is recognized', async () => {
  const { url } = await start({ settings: { RATE_LIMIT_PER_IP: '1', TRUSTED_PROXIES: '1' } });
  const call = (address: string) =>
    fetch(`${url}/api/leaderboard`, {
      headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
    });
  const responses = [await call('1.1.1.1'), await call('2.2.2.2'), await call('1.1.1.1')];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  for (const { headers } of responses) expect(headers.get('strict-transport-security')).toMatch(/^max-age=/);
});

test('MAX_OWN_CHALLENGE_AWARDS_PER_DAY limits the points of own challenges', async () => {
  const network = await start({ settings: { MAX_OWN_CHALLENGE_AWARDS_PER_DAY: '1' } });
  const maker = await newUser(network);
  for (let made = 0; made < 2; made++) {
    const { id } = await newChallenge(maker, { points: 10 });
    await network.settle();
    const participation = await maker.client.joinChallenge({ body: { challengeId: id } });
    await maker.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    await network.settle();
  }
  expect(await maker.client.getMe()).toMatchObject({ points: 10 });
});

test('realtime uses REDIS_URL: it is not ready while that Redis is unavailable', async () => {
  const { services } = await start({ settings: { REDIS_URL: 'redis://127.0.0.1:1' } });
  expect(await services.realtime.ready()).toBe(false);
});

test('settings that belong together are required in the all-in-one process, too', () => {
  expect(() => loadSettings(allInOneSettings, { PLACES_GEOCODER: 'photon', GOOGLE_CLIENT_ID: 'x' })).toThrow(
    /GOOGLE_CLIENT_SECRET: must(.|\n)*PLACES_CONTACT: must/,
  );
});

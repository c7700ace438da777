import { productionTimeouts } from '@wayquest/platform/process';
import {
  describeWith,
  eventually,
  type Network,
  newUser,
  startDedicated,
  startNetwork,
  type TestUser,
  testPassword,
} from '@wayquest/testing';

/** What people meet while a part is away: stopped, or paused, when its connections stay open and nothing answers. */

// How long they wait is measured by `make bench-stall`: here the machine may be busy.

interface Answer {
  status: number;
  text: string;
}

async function answerOf(call: Promise<Response>): Promise<Answer> {
  const response = await call;
  return { status: response.status, text: await response.text() };
}

const login = (network: Network, username: string, password = testPassword) =>
  answerOf(
    fetch(`${network.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    }),
  );

const resting = 'Wayquest is temporarily unavailable. Please try again in a moment.';

for (const kind of ['embedded-store', 'mongodb'] as const) {
  (await describeWith(kind))(`while the store (${kind}) is unavailable`, () => {
    let store: Awaited<ReturnType<typeof startDedicated>>;
    let network: Network;
    let ann: TestUser;

    beforeAll(async () => {
      store = await startDedicated(kind);
      network = await startNetwork({ mongo: store.address, timeouts: productionTimeouts });
      ann = await newUser(network);
      await network.settle();
    });
    afterAll(() => network?.stop());

    const read = () => answerOf(fetch(`${network.url}/api/users/${ann.me.id}`));
    const write = () =>
      answerOf(
        fetch(`${network.url}/api/challenges/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: ann.token },
          body: JSON.stringify({ name: 'Walk', difficulty: 'Easy' }),
        }),
      );
    const areReady = () => Promise.all(Object.values(network.services).map((service) => service.ready()));

    const expectBack = async () => {
      await eventually(async () => (await read()).status === 200 && (await write()).status === 201);
      await eventually(async () => !(await areReady()).includes(false));
    };

    it.each([
      ['paused', () => store.pause(), () => store.resume()],
      ['stopped', () => store.shutDown(), () => store.restart()],
    ])('responds that it is unavailable until it is back, if it is %s', async (_, stop, restart) => {
      await expectBack();
      await stop();
      try {
        const first = await read();
        const then = await Promise.all([read(), write(), login(network, ann.username)]);
        for (const { status, text } of [first, ...then])
          expect([status, text]).toEqual([503, expect.stringContaining(resting)]);
        expect(then.at(-1)?.text).toBe(resting);
        await eventually(async () => !(await areReady()).includes(true));
      } finally {
        await restart();
      }
      await expectBack();
    });

    it('serves everybody if more calls than connections wait while it is paused', async () => {
      await expectBack();
      const askAll = () => Promise.all(Array.from({ length: 250 }, read));
      await store.pause();
      try {
        const answers = await askAll();
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      } finally {
        await store.resume();
      }
      await expectBack();
    });
  });
}

(await describeWith('redis'))('while Redis is paused', () => {
  it('allows logins, and counts failed attempts in memory', async () => {
    const { address, pause, resume } = await startDedicated('redis');
    const network = await startNetwork({
      settings: { REDIS_URL: address },
      limits: true,
      timeouts: productionTimeouts,
    });
    try {
      const ann = await newUser(network);
      await pause();
      expect((await login(network, ann.username)).status).toBe(200);
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await login(network, ann.username, 'wrong')).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
      await resume();
      // What was counted in memory counts until Redis has answered again.
      await eventually(async () => expect((await login(network, ann.username)).status).toBe(200));
    } finally {
      await resume();
      await network.stop();
    }
  });
});

import { productionTimeouts } from '@wayquest/platform/async';
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

// A dependency is stopped, or paused: its connections stay open without responses.

// `make bench-stall` measures how long calls wait; here the machine may be busy.

interface Received {
  status: number;
  text: string;
}

async function receive(call: Promise<Response>): Promise<Received> {
  const response = await call;
  return { status: response.status, text: await response.text() };
}

const login = (network: Network, username: string, password = testPassword) =>
  receive(
    fetch(`${network.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    }),
  );

const unavailable = 'Wayquest is temporarily unavailable. Please try again in a moment.';

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

    const read = () => receive(fetch(`${network.url}/api/users/${ann.me.id}`));
    const write = () =>
      receive(
        fetch(`${network.url}/api/challenges/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: ann.token },
          body: JSON.stringify({ name: 'Walk', difficulty: 'Easy' }),
        }),
      );
    const areReady = () => Promise.all(Object.values(network.services).map((service) => service.ready()));

    const expectRecovery = async () => {
      await eventually(async () => (await read()).status === 200 && (await write()).status === 201);
      await eventually(async () => !(await areReady()).includes(false));
    };

    it.each([
      ['paused', () => store.pause(), () => store.resume()],
      ['stopped', () => store.shutDown(), () => store.restart()],
    ])('responds 503 while it is %s, and recovers', async (_, stop, restart) => {
      await expectRecovery();
      await stop();
      try {
        const first = await read();
        const then = await Promise.all([read(), write(), login(network, ann.username)]);
        for (const { status, text } of [first, ...then])
          expect([status, text]).toEqual([503, expect.stringContaining(unavailable)]);
        expect(then.at(-1)?.text).toBe(unavailable);
        await eventually(async () => !(await areReady()).includes(true));
      } finally {
        await restart();
      }
      await expectRecovery();
    });

    it('responds 503 to more calls than connections while it is paused, and recovers', async () => {
      await expectRecovery();
      const readConcurrently = () => Promise.all(Array.from({ length: 250 }, read));
      await store.pause();
      try {
        const replies = await readConcurrently();
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
      } finally {
        await store.resume();
      }
      await expectRecovery();
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
      // Attempts counted in memory count until Redis responds again.
      await eventually(async () => expect((await login(network, ann.username)).status).toBe(200));
    } finally {
      await resume();
      await network.stop();
    }
  });
});

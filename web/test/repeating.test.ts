import { type Client, type ProblemCode, problems } from '@wayquest/contracts';
import { vi } from 'vitest';
import { lazyClient } from '../src/shared/lib/api.ts';
import type { TokenStore } from '../src/shared/lib/tokens.ts';

const tokens: TokenStore = { read: () => null, write: () => {}, clear: () => {}, watch: () => () => {} };

const refusal = (code: ProblemCode, headers: Record<string, string> = {}) => {
  const { status, title } = problems[code];
  const body = { type: `urn:wayquest:problem:${code}`, title, status, code };
  return () =>
    Response.json(body, { status, headers: { ...headers, 'content-type': 'application/problem+json' } });
};
const away = refusal('service-unavailable');
const nothing = () => Response.json([]);

const fetchBefore = globalThis.fetch;
let client: Client;
/** What was asked, and after how many seconds. */
let asked: string[];
let answers: (() => Response)[];

beforeAll(async () => {
  client = await lazyClient(tokens)();
});
beforeEach(() => {
  vi.useFakeTimers({
    now: 0,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  asked = [];
  globalThis.fetch = async (_input, init) => {
    asked.push(`${init?.method} ${Date.now() / 1_000}`);
    const answer = answers.shift();
    if (!answer) throw new TypeError('Nobody answers');
    return answer();
  };
});
afterEach(() => {
  globalThis.fetch = fetchBefore;
  vi.useRealTimers();
});

/** The outcome of a call, as long as it takes. */
async function outcomeOf(call: Promise<unknown>) {
  const outcome = call.catch((error: Error) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  return outcome;
}

it('retries reads while a service is unavailable, after growing pauses and not for long', async () => {
  answers = [away, away, nothing];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(asked).toEqual(['GET 0', 'GET 1', 'GET 3']);

  answers = [away, away, away, nothing];
  expect(await outcomeOf(client.listChallenges())).toMatchObject({
    status: 503,
    message: problems['service-unavailable'].title,
  });
  expect(answers).toHaveLength(1);
});

it('retries soon without a response, and not for long', async () => {
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  answers = [lost, nothing];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(asked).toEqual(['GET 0', 'GET 0.3']);
  answers = [lost, lost, lost, nothing];
  expect(await outcomeOf(client.listChallenges())).toBeInstanceOf(TypeError);
  expect(answers).toHaveLength(1);
  answers = [lost, nothing];
  expect(await outcomeOf(client.joinChallenge({ body: { challengeId: 1 } }))).toBeInstanceOf(TypeError);
});

it('waits for the server’s retry-after, or else gives up', async () => {
  answers = [refusal('service-unavailable', { 'retry-after': '2' }), nothing];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(asked).toEqual(['GET 0', 'GET 2']);

  for (const later of ['30', 'Wed, 21 Oct 2099 07:28:00 GMT']) {
    answers = [refusal('service-unavailable', { 'retry-after': later }), nothing];
    expect(await outcomeOf(client.listChallenges())).toMatchObject({ status: 503 });
    expect(answers).toHaveLength(1);
  }
});

it.each<[string, () => Promise<unknown>]>([
  ['POST', () => client.joinChallenge({ body: { challengeId: 1 } })],
  ['PUT', () => client.markConversationRead({ params: { id: '1' }, body: { messageId: 1 } })],
  ['DELETE', () => client.deleteChallenge({ params: { id: '1' } })],
])('never repeats a %s', async (method, call) => {
  answers = [away, nothing];
  expect(await outcomeOf(call())).toMatchObject({ status: 503 });
  expect(asked).toEqual([`${method} 0`]);
});

it.each<ProblemCode>([
  'internal-error',
  'bad-gateway',
  'service-unavailable',
  'gateway-timeout',
  'too-many-requests',
])('retries a read that failed with %s', async (code) => {
  answers = [refusal(code), nothing];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(asked).toEqual(['GET 0', 'GET 1']);
});

it('retries a read that a proxy answered', async () => {
  answers = [() => new Response('<h1>Bad Gateway</h1>', { status: 502 }), nothing];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
});

it.each<ProblemCode>(['places-unavailable', 'unauthenticated', 'forbidden', 'challenge-not-found'])(
  'does not retry a read that failed with %s',
  async (code) => {
    answers = [refusal(code), nothing];
    expect(await outcomeOf(client.listChallenges())).toMatchObject({ problem: { code } });
    expect(asked).toHaveLength(1);
  },
);

it('retries no slow failures', async () => {
  answers = [
    () => {
      vi.setSystemTime(10_000);
      return refusal('gateway-timeout')();
    },
    nothing,
  ];
  expect(await outcomeOf(client.listChallenges())).toMatchObject({ status: 504 });
});

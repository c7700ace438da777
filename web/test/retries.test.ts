import { type Client, type ProblemCode, problems } from '@wayquest/contracts';
import { lazyClient } from '../src/shared/lib/api.ts';
import type { TokenStore } from '../src/shared/lib/tokens.ts';
import { dateAndTimers, fakeTimers } from './support/fake-timers.ts';

const tokens: TokenStore = { read: () => null, write: () => {}, clear: () => {}, watch: () => () => {} };

const respondWithProblem = (code: ProblemCode, headers: Record<string, string> = {}) => {
  const { status, title } = problems[code];
  const body = { type: `urn:wayquest:problem:${code}`, title, status, code };
  return () =>
    Response.json(body, { status, headers: { ...headers, 'content-type': 'application/problem+json' } });
};
const serviceUnavailable = respondWithProblem('service-unavailable');
const emptyList = () => Response.json([]);

const originalFetch = globalThis.fetch;
let client: Client;
/** The requests: method and time in seconds. */
let requests: string[];
let responses: (() => Response)[];

beforeAll(async () => {
  client = await lazyClient(tokens)();
});
beforeEach(() => {
  fakeTimers(dateAndTimers, 0);
  requests = [];
  globalThis.fetch = async (_input, init) => {
    requests.push(`${init?.method} ${Date.now() / 1_000}`);
    const respond = responses.shift();
    if (!respond) throw new TypeError('no response left');
    return respond();
  };
});
afterEach(() => {
  globalThis.fetch = originalFetch;
  jest.useRealTimers();
});

/** Returns the result or the error of a call after its retries. */
async function outcomeOf(call: Promise<unknown>) {
  const outcome = call.catch((error: Error) => error);
  await jest.advanceTimersByTimeAsync(10_000);
  return outcome;
}

it('retries reads of an unavailable service twice, with growing pauses', async () => {
  responses = [serviceUnavailable, serviceUnavailable, emptyList];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(requests).toEqual(['GET 0', 'GET 1', 'GET 3']);

  responses = [serviceUnavailable, serviceUnavailable, serviceUnavailable, emptyList];
  expect(await outcomeOf(client.listChallenges())).toMatchObject({
    status: 503,
    message: problems['service-unavailable'].title,
  });
  expect(responses).toHaveLength(1);
});

it('retries reads without a response twice, after short pauses, but no writes', async () => {
  const networkError = () => {
    throw new TypeError('Failed to fetch');
  };
  responses = [networkError, emptyList];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(requests).toEqual(['GET 0', 'GET 0.3']);
  responses = [networkError, networkError, networkError, emptyList];
  expect(await outcomeOf(client.listChallenges())).toBeInstanceOf(TypeError);
  expect(responses).toHaveLength(1);
  responses = [networkError, emptyList];
  expect(await outcomeOf(client.joinChallenge({ body: { challengeId: 1 } }))).toBeInstanceOf(TypeError);
});

/** A ZIP file that arrives in pieces, one every so many seconds; the signal ends it. */
const slowFile = (pieces: number, pauseSeconds: number, signal: AbortSignal | null | undefined) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let sent = 0;
      const sendNext = () => {
        sent += 1;
        controller.enqueue(new Uint8Array([sent]));
        if (sent < pieces) timer = setTimeout(sendNext, pauseSeconds * 1_000);
        else controller.close();
      };
      let timer = setTimeout(sendNext, pauseSeconds * 1_000);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        controller.error(signal.reason);
      });
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/zip' } });
};

it.each([
  ['18 pieces in 180 seconds', 18, 10, 18],
  ['a piece after 130 seconds of silence', 2, 130, undefined],
])('downloads a file as long as something of it arrives: %s (Q7)', async (_, pieces, pauseSeconds, size) => {
  globalThis.fetch = async (_input, init) => slowFile(pieces, pauseSeconds, init?.signal);
  const outcome = client.downloadArchive().catch((error: Error) => error);
  await jest.advanceTimersByTimeAsync(600_000);
  const result = await outcome;
  if (size === undefined) expect(result).toMatchObject({ name: 'TimeoutError' });
  else expect(result).toMatchObject({ size, type: 'application/zip' });
});

it('waits for the server’s retry-after if it is short, or else gives up', async () => {
  responses = [respondWithProblem('service-unavailable', { 'retry-after': '2' }), emptyList];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(requests).toEqual(['GET 0', 'GET 2']);

  for (const retryAfter of ['30', 'Wed, 21 Oct 2099 07:28:00 GMT']) {
    responses = [respondWithProblem('service-unavailable', { 'retry-after': retryAfter }), emptyList];
    expect(await outcomeOf(client.listChallenges())).toMatchObject({ status: 503 });
    expect(responses).toHaveLength(1);
  }
});

it.each<[string, () => Promise<unknown>]>([
  ['POST', () => client.joinChallenge({ body: { challengeId: 1 } })],
  ['PUT', () => client.markConversationRead({ params: { id: '1' }, body: { messageId: 1 } })],
  ['DELETE', () => client.deleteChallenge({ params: { id: '1' } })],
])('never retries a %s', async (method, call) => {
  responses = [serviceUnavailable, emptyList];
  expect(await outcomeOf(call())).toMatchObject({ status: 503 });
  expect(requests).toEqual([`${method} 0`]);
});

it.each<ProblemCode>([
  'internal-error',
  'bad-gateway',
  'service-unavailable',
  'gateway-timeout',
  'too-many-requests',
])('retries a read that failed with %s', async (code) => {
  responses = [respondWithProblem(code), emptyList];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
  expect(requests).toEqual(['GET 0', 'GET 1']);
});

it('retries a read that a proxy answered with an error page', async () => {
  responses = [() => new Response('<h1>Bad Gateway</h1>', { status: 502 }), emptyList];
  expect(await outcomeOf(client.listChallenges())).toEqual([]);
});

it.each<ProblemCode>(['places-unavailable', 'unauthenticated', 'forbidden', 'challenge-not-found'])(
  'does not retry a read that failed with %s',
  async (code) => {
    responses = [respondWithProblem(code), emptyList];
    expect(await outcomeOf(client.listChallenges())).toMatchObject({ problem: { code } });
    expect(requests).toHaveLength(1);
  },
);

it('does not retry a read that took long to fail', async () => {
  responses = [
    () => {
      jest.setSystemTime(10_000);
      return respondWithProblem('gateway-timeout')();
    },
    emptyList,
  ];
  expect(await outcomeOf(client.listChallenges())).toMatchObject({ status: 504 });
});

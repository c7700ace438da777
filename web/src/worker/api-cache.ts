import { problemCodeHeader } from '@wayquest/contracts';
import english from '../shared/i18n/en/offline.ts';
import chinese from '../shared/i18n/zh/offline.ts';
import { storedAtHeader } from '../shared/lib/stored-at.ts';
import { fromServer, worker } from './network.ts';

/** Caches the services' responses, for each session apart, for use without a network. */

const prefix = 'responses-';
/** Of version 0.1.0. */
const formerPrefix = 'answers-';
const maxEntries = 200;
const maxAgeMs = 7 * 24 * 3_600_000;

/**
 * Paths whose responses are cached: data that pages show, except map searches and the list of sessions. A new operation is
 * cached only if it is added here.
 */
const cacheablePaths =
  /^\/(auth\/me|api\/(users|leaderboard|settings|trails|challengeLine|completions|challenges|conversations|messages|chat|friendrequests|blocks|notifications)(\/.*)?)$/;

/** Views of the map: only the last one is cached, since all of them would evict everything else. */
const mapViews = /\/api\/challenges\/(view|clusters)\?/;

export const isCacheable = (path: string): boolean => cacheablePaths.test(path);

/**
 * Returns the name of a session's cache. It is a hash of the token, so that only requests with this token find the cache,
 * and the token itself is not stored.
 */
async function cacheNameOf(token: string | null): Promise<string> {
  if (!token) return `${prefix}visitor`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return prefix + [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Caches are changed one at a time, so that no response is stored again right after the caches were deleted. */
let changes = Promise.resolve();
/** Number of deletions so far: responses to requests from before the last one are not stored. */
let generation = 0;

function enqueue(change: () => Promise<void>): Promise<void> {
  changes = changes
    .then(change)
    .catch((error: unknown) => console.warn('A response could not be cached', error));
  return changes;
}

async function deleteCachesExcept(...names: string[]): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && !names.includes(name)) await caches.delete(name);
}

/** Deletes the caches of version 0.1.0, which no session finds any more. Removed with 0.3.0. */
export async function deleteFormerCaches(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(formerPrefix)) await caches.delete(name);
}

/** Deletes the cached responses of all sessions; responses to pending requests will not be cached. */
export function deleteResponses(): Promise<void> {
  generation += 1;
  return enqueue(() => deleteCachesExcept());
}

/** A copy to store, with the time of storing it: the device's clock may differ from the server's by days. */
function withStoringTime({ body, status, headers }: Response): Response {
  const withTime = new Headers(headers);
  withTime.set(storedAtHeader, new Date().toISOString());
  return new Response(body, { status, headers: withTime });
}

/** Whether a response was stored too long ago. The device's clock may have been set back since. */
function isExpired(response: Response | undefined): boolean {
  // Version 0.2.0 stored no time.
  const storedAt = response?.headers.get(storedAtHeader) ?? response?.headers.get('date') ?? '';
  return !(Date.now() - Date.parse(storedAt) < maxAgeMs);
}

/** Deletes expired responses, and the oldest if there are too many; keys are in order of insertion. */
async function evict(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const [index, key] of keys.entries()) {
    if (index >= keys.length - maxEntries && !isExpired(await cache.match(key))) return;
    await cache.delete(key);
  }
}

async function store(name: string, url: string, response: Response): Promise<void> {
  const visitors = await cacheNameOf(null);
  // A new session has begun: the caches of earlier ones are no longer needed.
  if (name !== visitors) await deleteCachesExcept(name, visitors);
  const cache = await caches.open(name);
  // The key is the URL, since the request contains the token.
  await cache.delete(url, { ignoreSearch: mapViews.test(url) });
  await cache.put(url, withStoringTime(response));
  await evict(cache);
}

async function find(name: string, url: string): Promise<Response | undefined> {
  if (!(await caches.has(name))) return undefined;
  const cached = await (await caches.open(name)).match(url, { ignoreVary: true });
  return isExpired(cached) ? undefined : cached;
}

/** Returns a sentence in the language of a request. */
const translate = ({ headers }: Request, key: keyof typeof english) =>
  (headers.get('accept-language')?.startsWith('zh') ? chinese : english)[key];

/** The response if nothing is cached. Without the code the client would take it for a proxy's. */
const notCached = (request: Request) =>
  new Response(translate(request, 'missing'), {
    status: 504,
    headers: { 'content-type': 'text/plain', [problemCodeHeader]: 'gateway-timeout' },
  });

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json');

/** Whether an error response is from a service, not from a proxy. */
const isProblem = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/problem+json');

async function findFor(request: Request): Promise<Response | undefined> {
  try {
    return await find(await cacheNameOf(request.headers.get('authorization')), request.url);
  } catch (error) {
    console.warn('A cached response could not be read', error);
    return undefined;
  }
}

/** Caches a response, or deletes all cached ones if the session has ended. */
function updateCache(event: FetchEvent, response: Response, requestGeneration: number): void {
  const { request } = event;
  const token = request.headers.get('authorization');
  if (token && response.status === 401 && isProblem(response)) event.waitUntil(deleteResponses());
  if (!response.ok || !isJson(response)) return;
  const copy = response.clone();
  const storeCopy = async () => {
    if (requestGeneration === generation) await store(await cacheNameOf(token), request.url, copy);
  };
  event.waitUntil(enqueue(storeCopy));
}

/**
 * Responds to a read of the API from the network, or from the cache if the server is unreachable, unavailable or too slow;
 * the page is notified of that.
 */
export async function respondToRead(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const requestGeneration = generation;
  const pending = fetch(request).then((response) => {
    updateCache(event, response, requestGeneration);
    return response;
  });
  const response = await fromServer(request, pending);
  if (response || request.signal.aborted) return response ?? pending;
  const notifyPage = async () =>
    (await worker.clients.get(event.clientId))?.postMessage('cached-response-used');
  const cached = await findFor(request);
  if (cached) {
    // It may still fail, after the page got its response.
    pending.catch(() => {});
    await notifyPage();
    return cached;
  }
  try {
    return await pending;
  } catch (error) {
    if (request.signal.aborted) throw error;
    await notifyPage();
    return notCached(request);
  }
}

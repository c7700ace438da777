import { problemCodeHeader } from '@wayquest/contracts';
import english from '../shared/i18n/en/offline.ts';
import chinese from '../shared/i18n/zh/offline.ts';
import { fromServer } from './network.ts';
import { worker } from './scope.ts';

/** What the services answered, kept for the person who asked, and shown where there is no network. */

const prefix = 'answers-';
const maxKept = 200;
const keptFor = 7 * 24 * 3_600_000;

/**
 * What pages show. Not what is looked up on the map, nor where else somebody is logged in; a new kind of answer is kept
 * once it stands here.
 */
const shown =
  /^\/(auth\/me|api\/(users|leaderboard|settings|trails|challengeLine|completions|challenges|conversations|messages|chat|friendrequests|blocks|notifications)(\/.*)?)$/;

/** What stands on the map as it is moved: the last of it is enough, and all of it would leave room for nothing else. */
const onMap = /\/api\/challenges\/(view|clusters)\?/;

export const isAnswer = (path: string): boolean => shown.test(path);

/**
 * Where the answers of one session are. Its name is made from the token, which is nowhere to be found itself: nobody
 * without it is answered with them.
 */
async function placeOf(token: string | null): Promise<string> {
  if (!token) return `${prefix}visitor`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return prefix + [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is kept is changed by one after the other, so that nothing is kept again that was just to be forgotten. */
let changes = Promise.resolve();
let session = 0;

function change(make: () => Promise<void>): Promise<void> {
  changes = changes.then(make).catch((error: unknown) => console.warn('What was loaded is not kept', error));
  return changes;
}

async function deleteAllBut(isWanted: (place: string) => boolean): Promise<void> {
  for (const place of await caches.keys())
    if (place.startsWith(prefix) && !isWanted(place)) await caches.delete(place);
}

/** Forgets everything that was answered to anybody, and what is on its way to them. */
export function forgetAnswers(): Promise<void> {
  session += 1;
  return change(() => deleteAllBut(() => false));
}

const isOld = (response: Response | undefined) =>
  !(Date.now() - Date.parse(response?.headers.get('date') ?? '') < keptFor);

/** The oldest come first. */
async function dropMost(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const [index, key] of keys.entries()) {
    if (index >= keys.length - maxKept && !isOld(await cache.match(key))) return;
    await cache.delete(key);
  }
}

async function keep(place: string, url: string, response: Response): Promise<void> {
  const visitors = await placeOf(null);
  // Whoever is logged in now is another one, or the same anew.
  if (place !== visitors) await deleteAllBut((other) => other === place || other === visitors);
  const cache = await caches.open(place);
  // By its address alone: the request has the token in it.
  await cache.delete(url, { ignoreSearch: onMap.test(url) });
  await cache.put(url, response);
  await dropMost(cache);
}

async function find(place: string, url: string): Promise<Response | undefined> {
  if (!(await caches.has(place))) return undefined;
  const kept = await (await caches.open(place)).match(url, { ignoreVary: true });
  return isOld(kept) ? undefined : kept;
}

/** Says something in the language in which a page asks. */
const say = ({ headers }: Request, key: keyof typeof english) =>
  (headers.get('accept-language')?.startsWith('zh') ? chinese : english)[key];

/** With its code, without which the client takes a sentence for one of a proxy's. */
const missing = (request: Request) =>
  new Response(say(request, 'missing'), {
    status: 504,
    headers: { 'content-type': 'text/plain', [problemCodeHeader]: 'gateway-timeout' },
  });

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json');

/** Whether an error is one of ours, and not of a proxy on the way. */
const isProblem = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/problem+json');

async function findFor(request: Request): Promise<Response | undefined> {
  try {
    return await find(await placeOf(request.headers.get('authorization')), request.url);
  } catch (error) {
    console.warn('What was loaded cannot be read', error);
    return undefined;
  }
}

/** Keeps an answer, or forgets all of them where the session has ended. */
function learnFrom(event: FetchEvent, response: Response, sessionBefore: number): void {
  const { request } = event;
  const token = request.headers.get('authorization');
  if (token && response.status === 401 && isProblem(response)) event.waitUntil(forgetAnswers());
  if (!response.ok || !isJson(response)) return;
  const copy = response.clone();
  const keepCopy = async () => {
    if (sessionBefore === session) await keep(await placeOf(token), request.url, copy);
  };
  event.waitUntil(change(keepCopy));
}

/**
 * A read: from the server, and what was answered before only where that is out of reach, away or too slow. The page is told
 * when it is that.
 */
export async function answerRead(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const sessionBefore = session;
  const asking = fetch(request).then((response) => {
    learnFrom(event, response, sessionBefore);
    return response;
  });
  const response = await fromServer(request, asking);
  // The page itself no longer wanted it.
  if (response || request.signal.aborted) return response ?? asking;
  const notifyPage = async () => (await worker.clients.get(event.clientId))?.postMessage('kept');
  const kept = await findFor(request);
  if (kept) {
    // It may fail yet, after the page has its answer.
    asking.catch(() => {});
    await notifyPage();
    return kept;
  }
  try {
    return await asking;
  } catch (error) {
    if (request.signal.aborted) throw error;
    await notifyPage();
    return missing(request);
  }
}

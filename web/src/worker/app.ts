import { fromServer, partTimeout } from './network.ts';
import { build } from './scope.ts';

/** What the app itself is made of, kept for each build apart. */

const prefix = 'app-';
const name = prefix + build.version;

/** The page as it is before anything of anybody is in it; the gateway draws none for this path. */
const shell = '/index.html';

/** Vary says what was compressed how, which does not matter here. A browser may take away what it let be kept. */
async function find(path: string): Promise<Response | undefined> {
  try {
    return await caches.match(path, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Lets the app know immediately that it came from the cache, so that it reserves space to say so. */
async function markedAsOffline(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  // The browser has unpacked it.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const html = await response.text();
  return new Response(html.replace('<html', '<html data-offline'), { headers });
}

/** Keeps what a page cannot be drawn without; what of it the browser has already is not fetched again. */
export async function keepApp(): Promise<void> {
  const cache = await caches.open(name);
  const page = await fetch(shell, { headers: { accept: 'text/html' }, cache: 'no-cache' });
  if (!page.ok) throw new Error(`the page was answered with ${page.status}`);
  await cache.put(shell, await markedAsOffline(page));
  await cache.addAll(build.files);
}

/** Keeps files that pages have fetched before there was a worker. */
export async function keepFiles(paths: string[]): Promise<void> {
  const cache = await caches.open(name);
  for (const path of paths) {
    // One that is gone meanwhile is no loss.
    if (!(await find(path))) await cache.add(path).catch(() => {});
  }
}

/** Pages of the build before may be open still, so its files stay until the next one; those of older builds go. */
export async function dropOldApps(): Promise<void> {
  const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
  for (const old of others.slice(0, -1)) await caches.delete(old);
}

/** A file whose name changes with its content. */
export async function answerAsset(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const kept = await find(request.url);
  if (kept) return kept;
  const response = await fetch(request, { signal: partTimeout() });
  if (response.ok) {
    const copy = response.clone();
    const keep = async () => (await caches.open(name)).put(request.url, copy);
    event.waitUntil(keep().catch((error: unknown) => console.warn('A part of the app is not kept', error)));
  }
  return response;
}

/** A file that is always fetched, and cached with the app. */
export async function answerFile({ request }: FetchEvent): Promise<Response> {
  const asking = fetch(request);
  return (await fromServer(request, asking)) ?? (await find(request.url)) ?? asking;
}

/** A page: the server's, if that answers in time. */
export async function answerPage(event: FetchEvent): Promise<Response> {
  const preloaded: Promise<Response | undefined> = event.preloadResponse;
  const asking = preloaded.then((response) => response ?? fetch(event.request));
  return (await fromServer(event.request, asking)) ?? (await find(shell)) ?? asking;
}

/** Files beside the assets that the app needs. */
export const isFile = (path: string): boolean => !path.startsWith('/assets/') && build.files.includes(path);

export const isAsset = (path: string): boolean => path.startsWith('/assets/');

/** Places in the app have no ending; what is below these paths is none. */
export const isPage = (path: string): boolean =>
  !/^\/(api|auth|public|socket\.io|metrics|healthz|readyz)(\/|$)/i.test(path) && !/\.\w+$/.test(path);

import { assetTimeout, build, fromServer } from './network.ts';

/** Caches the files of the app, for each build apart. */

const prefix = 'app-';
const name = prefix + build.version;

/** The page without any data: the gateway does not prerender this path. */
const shell = '/index.html';

/** `Vary` only concerns compression, so it is ignored. A browser may block access to caches. */
async function find(path: string): Promise<Response | undefined> {
  try {
    return await caches.match(path, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Lets the app know immediately that it came from the cache, so that it reserves space to say so. */
async function markOffline(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  // The browser has decompressed it.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const html = await response.text();
  return new Response(html.replace('<html', '<html data-offline'), { headers });
}

/** Caches the page and the files that every page needs; those in the browser's HTTP cache are not fetched again. */
export async function cacheApp(): Promise<void> {
  const cache = await caches.open(name);
  const page = await fetch(shell, { headers: { accept: 'text/html' }, cache: 'no-cache' });
  if (!page.ok) throw new Error(`the page could not be loaded: status ${page.status}`);
  await cache.put(shell, await markOffline(page));
  await cache.addAll(build.files);
}

/** Caches files that pages fetched before the worker was installed. */
export async function cacheFiles(paths: string[]): Promise<void> {
  const cache = await caches.open(name);
  for (const path of paths) {
    // One that no longer exists is not needed.
    if (!(await find(path))) await cache.add(path).catch(() => {});
  }
}

/** Deletes the caches of older builds, except that of the previous one, whose pages may still be open. */
export async function deleteOldApps(): Promise<void> {
  const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
  for (const old of others.slice(0, -1)) await caches.delete(old);
}

/** Responds with a file whose name changes with its content: from the cache if possible. */
export async function respondWithAsset(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cached = await find(request.url);
  if (cached) return cached;
  const response = await fetch(request, { signal: assetTimeout() });
  if (response.ok) {
    const copy = response.clone();
    const store = async () => (await caches.open(name)).put(request.url, copy);
    event.waitUntil(store().catch((error: unknown) => console.warn('A file could not be cached', error)));
  }
  return response;
}

/** Responds with a file that is always fetched; from the cache if the server does not respond. */
export async function respondWithFile({ request }: FetchEvent): Promise<Response> {
  const pending = fetch(request);
  return (await fromServer(request, pending)) ?? (await find(request.url)) ?? pending;
}

/** Responds with the server's page, or with the cached one if the server does not respond in time. */
export async function respondWithPage(event: FetchEvent): Promise<Response> {
  const preloaded: Promise<Response | undefined> = event.preloadResponse;
  const pending = preloaded.then((response) => response ?? fetch(event.request));
  return (await fromServer(event.request, pending)) ?? (await find(shell)) ?? pending;
}

/** Whether a path is a file of the app outside of `/assets/`. */
export const isFile = (path: string): boolean => !path.startsWith('/assets/') && build.files.includes(path);

export const isAsset = (path: string): boolean => path.startsWith('/assets/');

/** Whether a path is a page of the app: it has no file extension, and is none of the gateway's or the services' paths. */
export const isPage = (path: string): boolean =>
  !/^\/(api|auth|public|socket\.io|metrics|healthz|readyz)(\/|$)/i.test(path) && !/\.\w+$/.test(path);

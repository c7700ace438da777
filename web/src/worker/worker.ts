import { deleteFormerCaches, deleteResponses, isCacheable, respondToRead } from './api-cache.ts';
import {
  cacheApp,
  cacheFiles,
  deleteOldApps,
  isAsset,
  isFile,
  isPage,
  respondWithAsset,
  respondWithFile,
  respondWithPage,
} from './app.ts';
import { build, worker } from './network.ts';
import { openNotification, showPush } from './push.ts';

async function activate(): Promise<void> {
  await deleteOldApps().catch((error: unknown) => console.warn('Old builds could not be removed', error));
  await deleteFormerCaches().catch((error: unknown) =>
    console.warn('Old responses could not be removed', error),
  );
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** Returns the handler of a request; undefined if the browser itself handles it. */
function handlerOf({ request }: FetchEvent): ((event: FetchEvent) => Promise<Response>) | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return undefined;
  if (request.mode === 'navigate') return isPage(pathname) ? respondWithPage : undefined;
  if (isAsset(pathname)) return respondWithAsset;
  if (isFile(pathname)) return respondWithFile;
  return isCacheable(pathname) ? respondToRead : undefined;
}

worker.addEventListener('install', (event) => {
  event.waitUntil(cacheApp().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => event.waitUntil(activate()));

worker.addEventListener('fetch', (event) => {
  const handle = handlerOf(event);
  if (handle) event.respondWith(handle(event));
});

/**
 * Messages of pages: `delete-responses` deletes all cached responses; `keep-member-files` caches what members need without a network;
 * a list of paths caches these assets.
 */
worker.addEventListener('message', (event) => {
  const message: unknown = event.data;
  if (message === 'delete-responses') event.waitUntil(deleteResponses());
  if (message === 'keep-member-files') event.waitUntil(cacheFiles(build.memberFiles));
  if (Array.isArray(message)) event.waitUntil(cacheFiles(message.map(String).filter(isAsset)));
});

worker.addEventListener('push', (event) => event.waitUntil(showPush(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)));

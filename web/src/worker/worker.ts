import { answerRead, forgetAnswers, isAnswer } from './api-cache.ts';
import {
  answerAsset,
  answerFile,
  answerPage,
  dropOldApps,
  isAsset,
  isFile,
  isPage,
  keepApp,
  keepFiles,
} from './app.ts';
import { openPushed, showPush } from './push.ts';
import { worker } from './scope.ts';

async function takeOver(): Promise<void> {
  await dropOldApps().catch((error: unknown) => console.warn('Old builds could not be removed', error));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** How a request is answered; none for what is left to the browser. */
function answerTo({ request }: FetchEvent): ((event: FetchEvent) => Promise<Response>) | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return undefined;
  if (request.mode === 'navigate') return isPage(pathname) ? answerPage : undefined;
  if (isAsset(pathname)) return answerAsset;
  if (isFile(pathname)) return answerFile;
  return isAnswer(pathname) ? answerRead : undefined;
}

worker.addEventListener('install', (event) => {
  event.waitUntil(keepApp().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

worker.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer(event));
});

/** What pages ask for: that all answers be forgotten, or that the assets that they have be kept. */
worker.addEventListener('message', (event) => {
  const message: unknown = event.data;
  if (message === 'forget') event.waitUntil(forgetAnswers());
  if (Array.isArray(message)) event.waitUntil(keepFiles(message.map(String).filter(isAsset)));
});

worker.addEventListener('push', (event) => event.waitUntil(showPush(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openPushed(event)));

import type { PushMessage } from '@wayquest/contracts';
import { worker } from './scope.ts';

const home = '/home';

/** A place in Wayquest; anywhere else is home. */
function placeOf(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url, worker.location.origin)) return home;
  const { origin, pathname, search, hash } = new URL(url, worker.location.origin);
  return origin === worker.location.origin ? pathname + search + hash : home;
}

function contentOf(data: PushMessageData | null): Map<string, unknown> {
  try {
    const content: unknown = data?.json();
    return new Map(Object.entries(content ?? {}));
  } catch {
    return new Map();
  }
}

const textOf = (value: unknown, otherwise: string) =>
  typeof value === 'string' && value ? value : otherwise;

/** What was pushed, as far as it can be read. */
function messageOf(data: PushMessageData | null): PushMessage {
  const content = contentOf(data);
  return {
    title: textOf(content.get('title'), 'Wayquest'),
    body: textOf(content.get('body'), ''),
    url: placeOf(content.get('url')),
    tag: textOf(content.get('tag'), ''),
  };
}

const openWindows = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows a push message, as browsers require for each; silently if the person is looking at Wayquest. */
export async function showPush({ data }: PushEvent): Promise<void> {
  const { title, body, url, tag } = messageOf(data);
  const isLookedAt = (await openWindows()).some(({ focused }) => focused);
  await worker.registration.showNotification(title, {
    body,
    tag,
    data: url,
    silent: isLookedAt,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
  });
}

/** How long an open window may take to say that it goes there itself. */
const answerTimeoutMs = 1_000;

/** Asks the app in a window to go to an address by its router, which keeps what was typed. Answers whether it does. */
function goInApp(window: WindowClient, url: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerTimeoutMs, false);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    window.postMessage({ go: url }, [port2]);
  }).then((goes) => {
    port1.close();
    return goes === true;
  });
}

/** Leads to what a notification is about: in a window that is open, else in a new one. */
export async function openPushed({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const url = placeOf(notification.data);
  const [window] = await openWindows();
  try {
    // Browsers let a window be focused only right after the press.
    await window?.focus();
  } catch (error) {
    console.warn('An open window could not be focused', error);
  }
  try {
    if (window && (await goInApp(window, url))) return;
    // A page of ours that is not the app, or has not started. One from before there was a worker cannot be led.
    if (await window?.navigate(url)) return;
  } catch (error) {
    console.warn('An open window could not be used', error);
  }
  await worker.clients.openWindow(url);
}

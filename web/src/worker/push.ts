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

/** Shows what was pushed: browsers want to see something for every push. Whoever looks at Wayquest already hears nothing. */
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

/** Leads to what a notification is about: in a window that is open, else in a new one. */
export async function openPushed({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const url = placeOf(notification.data);
  const [window] = await openWindows();
  try {
    // One that was loaded before there was a worker does not let itself be led.
    const led = await (await window?.focus())?.navigate(url);
    if (led) return;
  } catch (error) {
    console.warn('An open window could not be used', error);
  }
  await worker.clients.openWindow(url);
}

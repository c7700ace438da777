import type { PushMessage } from '@wayquest/contracts';
import { build, worker } from './network.ts';

const homePath = '/home';

/** The path of a URL of this site; the home page for any other URL. */
function pathOf(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url, worker.location.origin)) return homePath;
  const { origin, pathname, search, hash } = new URL(url, worker.location.origin);
  return origin === worker.location.origin ? pathname + search + hash : homePath;
}

function contentOf(data: PushMessageData | null): Map<string, unknown> {
  try {
    const content: unknown = data?.json();
    return new Map(Object.entries(content ?? {}));
  } catch {
    return new Map();
  }
}

const textOf = (value: unknown, fallback: string) => (typeof value === 'string' && value ? value : fallback);

/** Parses a push message; unreadable fields get default values. */
function parseMessage(data: PushMessageData | null): PushMessage {
  const content = contentOf(data);
  return {
    title: textOf(content.get('title'), build.siteName),
    body: textOf(content.get('body'), ''),
    url: pathOf(content.get('url')),
    tag: textOf(content.get('tag'), ''),
  };
}

const openWindows = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows a push message, as browsers require for each; silently if a window of Wayquest has the focus. */
export async function showPush({ data }: PushEvent): Promise<void> {
  const { title, body, url, tag } = parseMessage(data);
  const isFocused = (await openWindows()).some(({ focused }) => focused);
  // Browsers know `renotify`, TypeScript does not.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    data: url,
    silent: isFocused,
    // One that takes the place of an earlier one is news, too. Browsers reject that without a tag, and for a silent one.
    renotify: tag !== '' && !isFocused,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
  };
  await worker.registration.showNotification(title, options);
}

/** How long an open window may take to confirm that it navigates by itself, in milliseconds. */
const confirmTimeoutMs = 1_000;

/**
 * Requests that the app in a window navigates by its router, which preserves unsaved input.
 *
 * @returns Whether the app confirmed it.
 */
function navigateInApp(window: WindowClient, url: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, confirmTimeoutMs, false);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    window.postMessage({ go: url }, [port2]);
  }).then((confirmed) => {
    port1.close();
    return confirmed === true;
  });
}

/** Opens the page that a clicked notification links to: in an open window if there is one, otherwise in a new one. */
export async function openNotification({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const url = pathOf(notification.data);
  const [window] = await openWindows();
  try {
    // Browsers allow that only right after the click.
    await window?.focus();
  } catch (error) {
    console.warn('An open window could not be focused', error);
  }
  try {
    if (window && (await navigateInApp(window, url))) return;
    // The page is not the app, or it has not started. A page that loaded before the worker cannot be navigated.
    if (await window?.navigate(url)) return;
  } catch (error) {
    console.warn('An open window could not be used', error);
  }
  await worker.clients.openWindow(url);
}

import type { Client } from '@wayquest/contracts';
import { currentLanguage } from '../../shared/i18n/catalogue.ts';
import { workerRegistration } from '../../shared/lib/service-worker.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { pushStorage } from './push-storage.ts';

/** The service worker shows push messages; without one there are none. */
const registration = async () =>
  'PushManager' in window && 'Notification' in window ? workerRegistration() : undefined;

/** Identifies a login: the end of its token, which is useless by itself. */
const loginOf = (token: string | null): string => token?.slice(-16) ?? '';

/** Interval for sending the subscription again: the server may have deleted one that a push service rejected. */
const renewEveryMs = 24 * 3_600_000;

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Whether a subscription was made with this VAPID key; its push service rejects messages signed with another one. True
 * if the browser does not expose the key.
 */
function matchesKey(subscription: PushSubscription, key: string): boolean {
  const subscriptionKey = subscription.options?.applicationServerKey;
  return !subscriptionKey || base64Url(subscriptionKey) === key.replaceAll('=', '');
}

/** Returns the browser's subscription for this key; one for another key is replaced. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const subscription = await pushManager.getSubscription();
  if (subscription && matchesKey(subscription, key)) return subscription;
  await subscription?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function send(client: Client, subscription: PushSubscription, userId: number, token: string | null) {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await client.subscribeToPush({
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth }, language: currentLanguage() },
  });
  pushStorage.write({ userId, login: loginOf(token), sentAt: Date.now() });
}

export type PushState = 'on' | 'off' | 'blocked' | 'unsupported';

type Session = Pick<Deps, 'api' | 'tokens'>;

/** Whether push notifications are on in this browser for a user, or possible. */
export async function pushState(session: Session, userId: number): Promise<PushState> {
  try {
    const worker = await registration();
    if (!worker) return 'unsupported';
    if (Notification.permission === 'denied') return 'blocked';
    if (pushStorage.read()?.userId !== userId) return 'off';
    await renewPush(session, userId);
    const subscribed = await worker.pushManager.getSubscription();
    return subscribed && pushStorage.read()?.userId === userId ? 'on' : 'off';
  } catch {
    // Some browsers have the API but reject its use.
    return 'unsupported';
  }
}

/** Asks for the permission, subscribes, and sends the subscription to the server. */
export async function startPush(session: Session, userId: number): Promise<PushState> {
  const worker = await registration();
  if (!worker) return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return pushState(session, userId);
  const client = await session.api();
  const { key } = await client.getPushKey();
  await send(client, await subscribe(worker, key), userId, session.tokens.read());
  return 'on';
}

async function renew({ api, tokens }: Session, userId: number): Promise<void> {
  const token = tokens.read();
  const memory = pushStorage.read();
  try {
    const worker = await registration();
    const subscription = await worker?.pushManager.getSubscription();
    if (!worker || !subscription) return pushStorage.clear();
    const client = await api();
    const { key } = await client.getPushKey();
    const isKnown =
      memory?.login === loginOf(token) && Math.abs(Date.now() - (memory?.sentAt ?? 0)) < renewEveryMs;
    const isUsable = matchesKey(subscription, key);
    if (isUsable && isKnown) return;
    // Counts as off until the new subscription is saved.
    if (!isUsable) pushStorage.clear();
    await send(client, await subscribe(worker, key), userId, token);
  } catch {
    // Retried at the next visit.
  }
}

let renewing: Promise<void> | undefined;

/**
 * Sends the subscription to the server again: after another login, once a day, and replaced if it was made with another
 * key than the server's.
 */
export function renewPush(session: Session, userId: number): Promise<void> {
  // The start of the session and the switch may call it concurrently.
  renewing ??= renew(session, userId).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Unsubscribes; the push service then reports to the server that the subscription has ended. */
export async function endPush(): Promise<void> {
  pushStorage.clear();
  const subscription = await (await registration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

import type { Client } from '@wayquest/contracts';
import { currentLanguage } from '../../shared/i18n/catalogue.ts';
import { workerRegistration } from '../../shared/lib/worker.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { pushMemory } from './push-memory.ts';

/** A push message is shown by the service worker; without one a browser can't be told. */
const registration = async () =>
  'PushManager' in window && 'Notification' in window ? workerRegistration() : undefined;

/** Of a login: what tells it from another one, and is no use to anybody else. */
const loginOf = (token: string | null): string => token?.slice(-16) ?? '';

/** How often the server gets the subscription anew: it may have removed one that a push service refused. */
const renewEveryMs = 24 * 3_600_000;

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Whether a subscription takes messages that are signed with this key. Its push service refuses those of another key. A
 * browser that does not say which key it was is believed.
 */
function isFor(subscription: PushSubscription, key: string): boolean {
  const made = subscription.options?.applicationServerKey;
  return !made || base64Url(made) === key.replaceAll('=', '');
}

/** The browser's subscription for this key; one for another key is given up for it. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const subscription = await pushManager.getSubscription();
  if (subscription && isFor(subscription, key)) return subscription;
  await subscription?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function send(client: Client, subscription: PushSubscription, userId: number, token: string | null) {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await client.subscribeToPush({
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth }, language: currentLanguage() },
  });
  pushMemory.write({ userId, login: loginOf(token), sentAt: Date.now() });
}

export type PushState = 'on' | 'off' | 'refused' | 'impossible';

type Session = Pick<Deps, 'api' | 'tokens'>;

/** Whether somebody is told in this browser while the app is closed, or could be. */
export async function pushState(session: Session, userId: number): Promise<PushState> {
  try {
    const worker = await registration();
    if (!worker) return 'impossible';
    if (Notification.permission === 'denied') return 'refused';
    if (pushMemory.read()?.userId !== userId) return 'off';
    await renewPush(session, userId);
    const subscribed = await worker.pushManager.getSubscription();
    return subscribed && pushMemory.read()?.userId === userId ? 'on' : 'off';
  } catch {
    // Some browsers have it and do not let it be used.
    return 'impossible';
  }
}

/** Asks the person, then their browser, and tells the server. */
export async function startPush(session: Session, userId: number): Promise<PushState> {
  const worker = await registration();
  if (!worker) return 'impossible';
  if ((await Notification.requestPermission()) !== 'granted') return pushState(session, userId);
  const client = await session.api();
  const { key } = await client.getPushKey();
  await send(client, await subscribe(worker, key), userId, session.tokens.read());
  return 'on';
}

async function renew({ api, tokens }: Session, userId: number): Promise<void> {
  const token = tokens.read();
  const memory = pushMemory.read();
  try {
    const worker = await registration();
    const subscription = await worker?.pushManager.getSubscription();
    if (!worker || !subscription) return pushMemory.clear();
    const client = await api();
    const { key } = await client.getPushKey();
    const isKnown = memory?.login === loginOf(token) && Date.now() - (memory?.sentAt ?? 0) < renewEveryMs;
    const isUsable = isFor(subscription, key);
    if (isUsable && isKnown) return;
    // Off, unless there is another one.
    if (!isUsable) pushMemory.clear();
    await send(client, await subscribe(worker, key), userId, token);
  } catch {
    // Tried again at the next visit.
  }
}

let renewing: Promise<void> | undefined;

/**
 * Has the server know this browser's subscription: after another login, once a day, and where it was made with another key
 * than the server's, by a new one.
 */
export function renewPush(session: Session, userId: number): Promise<void> {
  // The session's start and the switch may ask at the same time.
  renewing ??= renew(session, userId).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** The browser gives its subscription up; its push service then tells ours that it is gone. */
export async function endPush(): Promise<void> {
  pushMemory.clear();
  const subscription = await (await registration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

import type { Client } from '@wayquest/contracts';
import { workerRegistration } from '../../shared/lib/worker.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { currentLanguage } from '../../shared/words/catalogue.ts';
import { pushMemory } from './push-memory.ts';

/** A push message is shown by the service worker; without one a browser can't be told. */
const registration = async () => ('PushManager' in window ? workerRegistration() : undefined);

/** Of a login: what tells it from another one, and is no use to anybody else. */
const loginOf = (token: string | null): string => token?.slice(-16) ?? '';

async function send(client: Client, subscription: PushSubscription, userId: number, token: string | null) {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await client.subscribeToPush({
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth }, language: currentLanguage() },
  });
  pushMemory.write({ userId, login: loginOf(token) });
}

export type PushState = 'on' | 'off' | 'refused' | 'impossible';

/** Whether somebody is told in this browser while the app is closed, or could be. */
export async function pushState(userId: number): Promise<PushState> {
  const worker = await registration();
  if (!worker) return 'impossible';
  if (Notification.permission === 'denied') return 'refused';
  const subscribed = await worker.pushManager.getSubscription();
  return subscribed && pushMemory.read()?.userId === userId ? 'on' : 'off';
}

/** Asks the person, then their browser, and tells the server. */
export async function startPush(client: Client, userId: number, token: string | null): Promise<PushState> {
  const worker = await registration();
  if (!worker) return 'impossible';
  if ((await Notification.requestPermission()) !== 'granted') return pushState(userId);
  const { key } = await client.getPushKey();
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  await send(client, subscription, userId, token);
  return 'on';
}

/** After another login the server has to be told anew. */
export async function renewPush({ api, tokens }: Deps, userId: number): Promise<void> {
  const token = tokens.read();
  if (pushMemory.read()?.login === loginOf(token)) return;
  try {
    const subscription = await (await registration())?.pushManager.getSubscription();
    if (subscription) await send(await api(), subscription, userId, token);
    else pushMemory.clear();
  } catch {
    // Tried again at the next visit.
  }
}

/** The browser gives its subscription up; its push service then tells ours that it is gone. */
export async function endPush(): Promise<void> {
  pushMemory.clear();
  const subscription = await (await registration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

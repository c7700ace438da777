import {
  type ClientToServerEvents,
  type ServerEventData,
  type ServerEventName,
  type ServerToClientEvents,
  serverEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';

/** A tab: a socket and the events that it received. */
export interface Tab {
  socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  heard: { [N in ServerEventName]: ServerEventData<N>[] };
  /** Sends any event. */
  say(name: string, data: unknown): Promise<unknown>;
  /** The last list of online friends. */
  online(): number[];
}

const tabs = new Map<Tab, string>();

/** Closes the tabs that a test opened at an address. */
export function closeTabsOf(address: string): void {
  for (const [tab, url] of tabs) {
    if (url !== address) continue;
    tabs.delete(tab);
    tab.socket.disconnect();
  }
}

/** Closes the tabs that a test opened. */
export function closeTabs(): void {
  for (const url of new Set(tabs.values())) closeTabsOf(url);
}

const names = Object.keys(serverEvents) as ServerEventName[];

/** Opens a tab; rejects with the problem of a rejected handshake. */
export async function openTab(
  url: string,
  token: unknown,
  transports: string[] = socketClientOptions.transports,
): Promise<Tab> {
  const loose = io(url, {
    ...socketClientOptions,
    transports,
    auth: { token },
    forceNew: true,
    reconnectionDelay: 20,
    reconnectionDelayMax: 50,
  });
  const socket: Tab['socket'] = loose;
  const heard = Object.fromEntries(names.map((name) => [name, []])) as unknown as Tab['heard'];
  for (const name of names) {
    // The events are stored by name.
    socket.on(name, (data: unknown) => (heard[name] as unknown[]).push(serverEvents[name].parse(data)));
  }
  const tab: Tab = {
    socket,
    heard,
    say: (name, data) => loose.emitWithAck(name, data),
    online: () => (heard.getUsers.at(-1) ?? []).map(({ userId }) => userId).sort((a, b) => a - b),
  };
  tabs.set(tab, url);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return tab;
}

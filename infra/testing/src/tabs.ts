import {
  type ClientToServerEvents,
  type ServerEventData,
  type ServerEventName,
  type ServerToClientEvents,
  serverEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';

/** A browser tab: a socket, and the events that it has received. */
export interface Tab {
  socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  /** Received events by name, oldest first. */
  received: { [N in ServerEventName]: ServerEventData<N>[] };
  /** Sends an event that need not be valid; resolves with its acknowledgement. */
  emit(name: string, data: unknown): Promise<unknown>;
  /** Ids of the friends in the last `getUsers`, sorted. */
  onlineFriends(): number[];
}

const tabs = new Map<Tab, string>();

/** Closes all tabs that are open at a URL. */
export function closeTabsOf(address: string): void {
  for (const [tab, url] of tabs) {
    if (url !== address) continue;
    tabs.delete(tab);
    tab.socket.disconnect();
  }
}

/** Closes all tabs that are open. */
export function closeTabs(): void {
  for (const url of new Set(tabs.values())) closeTabsOf(url);
}

const eventNames = Object.keys(serverEvents) as ServerEventName[];

/** Opens a tab; rejects with the problem of a rejected handshake. */
export async function openTab(
  url: string,
  token: unknown,
  transports: string[] = socketClientOptions.transports,
): Promise<Tab> {
  const untypedSocket = io(url, {
    ...socketClientOptions,
    transports,
    auth: { token },
    forceNew: true,
    reconnectionDelay: 20,
    reconnectionDelayMax: 50,
  });
  const socket: Tab['socket'] = untypedSocket;
  const received = Object.fromEntries(eventNames.map((name) => [name, []])) as unknown as Tab['received'];
  for (const name of eventNames) {
    // The events are stored by name.
    socket.on(name, (data: unknown) => (received[name] as unknown[]).push(serverEvents[name].parse(data)));
  }
  const tab: Tab = {
    socket,
    received,
    emit: (name, data) => untypedSocket.emitWithAck(name, data),
    onlineFriends: () => (received.getUsers.at(-1) ?? []).map(({ userId }) => userId).sort((a, b) => a - b),
  };
  tabs.set(tab, url);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return tab;
}

import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import {
  type ClientToServerEvents,
  type ServerEventData,
  type ServerEventName,
  serverEvents,
  socketPath,
} from '@wayquest/contracts';
import { limits, toContract } from '@wayquest/platform/core';
import { socketNodeTag } from '@wayquest/platform/http';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import { realtimeMetrics } from './metrics.ts';
import { userRoom } from './rooms.ts';

type Connection = ClientSocket['conn'];

/** More than any tab sends, since the socket events of all of a person's tabs together have a lower limit. */
const { max: maxPackets, seconds } = limits.socketPackets;
const windowMs = seconds * 1_000;

/** Socket.IO's packets begin with their type (its protocol, revision 5). */
const startsWith = (type: string, data: unknown): boolean =>
  typeof data === 'string' && data.startsWith(type);
const connectErrorPacketType = '4';

/**
 * Closes connections that violate the expected client behavior. After a rejected CONNECT packet a client has to
 * open a new connection, which the gateway counts, instead of retrying thousands of times on the same one. Too many
 * packets close it, too.
 */
function guardConnections({ engine }: SocketServer): void {
  engine.on('connection', (connection: Connection) => {
    let packets = 0;
    let windowEnd = 0;

    connection.on('packet', () => {
      const now = Date.now();
      if (now > windowEnd) {
        packets = 0;
        windowEnd = now + windowMs;
      }
      packets += 1;
      if (packets <= maxPackets) return;
      realtimeMetrics.rejectedSockets.inc();
      connection.close(true);
    });
    connection.on('packetCreate', ({ type, data }: { type: string; data?: unknown }) => {
      // In the next turn, so that the rejection is sent: closing waits for writes that have started.
      if (type === 'message' && startsWith(connectErrorPacketType, data))
        setImmediate(() => connection.close());
    });
  });
}

export interface SocketData {
  caller: Caller;
}

/** A payload for clients. Only `presentEvent` creates it, so that nothing else can be emitted. */
export interface ClientPayload {
  readonly presented: true;
}
type PresentedEvents = { [N in ServerEventName]: (data: ClientPayload) => void };

export type SocketServer = Server<ClientToServerEvents, PresentedEvents, DefaultEventsMap, SocketData>;
export type ClientSocket = Socket<ClientToServerEvents, PresentedEvents, DefaultEventsMap, SocketData>;

/** Returns an event's data as a client may see it: only the fields of its contract. */
export function presentEvent<N extends ServerEventName>(name: N, data: ServerEventData<N>): ClientPayload {
  const declared: unknown = toContract(serverEvents[name], data);
  // A brand for the type checker only.
  return declared as ClientPayload;
}

/** Maximum message size, larger than any event of the contract; a client that exceeds it is disconnected. */
const maxBytes = 64 * 1024;

/** Creates the Socket.IO server, which `attachSocketServer` connects to an HTTP server. */
export function createSocketServer(): SocketServer {
  const io: SocketServer = new Server({
    path: socketPath,
    serveClient: false,
    maxHttpBufferSize: maxBytes,
    // A dead connection is detected after 35 s at most.
    pingInterval: 20_000,
    pingTimeout: 15_000,
    // For connections that never send CONNECT.
    connectTimeout: 10_000,
  });
  return io;
}

/**
 * Attaches the server to an HTTP server, with connection ids by which the gateway finds this node. Returns a function
 * that closes it. That is not io.close(): only clients whose connection ends reconnect by themselves, to another node.
 */
export function attachSocketServer(io: SocketServer, server: HttpServer): () => void {
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (_request, socket) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  });
  io.attach(server);
  guardConnections(io);
  const randomId = io.engine.generateId.bind(io.engine);
  io.engine.generateId = async (request: IncomingMessage) => {
    const { localAddress = '', localPort = 0 } = request.socket;
    return `${socketNodeTag(localAddress, localPort)}.${await randomId(request)}`;
  };
  return () => {
    io.engine.close();
    // The engine does not close upgraded sockets of clients that disappeared.
    for (const socket of upgraded) socket.destroy();
  };
}

/**
 * Closes the connections of this node, spread over `overMs` milliseconds, in the way that makes clients reconnect, to
 * another node.
 */
export async function drainConnections(io: SocketServer, durationMs: number): Promise<void> {
  const connections = [...io.sockets.sockets.values()].map(({ conn }) => conn);
  const began = performance.now();
  for (const [index, connection] of connections.entries()) {
    const due = began + (index / connections.length) * durationMs;
    if (due > performance.now()) await setTimeout(due - performance.now());
    connection.close();
  }
}

/** Returns the people who have a tab on this node. */
export const localPeople = (io: SocketServer): number[] => [
  ...new Set([...io.sockets.sockets.values()].map(({ data }) => data.caller.id)),
];

/** Returns the tabs in a room that are on this node, without those whose handshake is not complete. */
export const tabsIn = (io: SocketServer, room: string): ClientSocket[] =>
  [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

/** Returns how many tabs of a person are on this node. */
export const localTabs = (io: SocketServer, userId: number): number => tabsIn(io, userRoom(userId)).length;

/** Interval of a check for expired tokens, and for revocations of which a message was lost. */
const checkEveryMs = 30_000;

/** Disconnects sockets whose token expired or was revoked. */
export function createSessions({
  io,
  kit: { guard, revocations, logger },
}: {
  io: SocketServer;
  kit: Pick<ServiceKit, 'guard' | 'revocations' | 'logger'>;
}) {
  let checkTimer: NodeJS.Timeout | undefined;

  const check = async (sockets: Iterable<ClientSocket>): Promise<void> => {
    try {
      const all = [...sockets].map((socket) => ({ socket, claims: socket.data.caller.claims }));
      const revoked = await revocations.filterRevoked(all.map(({ claims }) => claims));
      for (const { socket, claims } of all) {
        if (claims.exp * 1_000 > Date.now() && !revoked.has(claims)) continue;
        realtimeMetrics.rejectedSockets.inc();
        socket.disconnect(true);
      }
    } catch (error) {
      logger.warn({ err: error }, 'token check failed');
    }
  };

  return {
    async recheck(userId: number): Promise<void> {
      guard.invalidate({ userId, tokenId: null });
      await check(tabsIn(io, userRoom(userId)));
    },

    start(): void {
      checkTimer = setInterval(() => void check(io.sockets.sockets.values()), checkEveryMs);
    },

    stop(): void {
      clearInterval(checkTimer);
    },
  };
}

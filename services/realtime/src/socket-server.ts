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
import { toContract } from '@wayquest/platform/core';
import { type Caller, socketNodeTag } from '@wayquest/platform/http';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import { guardConnections } from './connection-guard.ts';

export interface SocketData {
  caller: Caller;
}

/** What may leave to a client: `presentEvent` alone makes it, so that nothing else can be emitted. */
export interface Presented {
  readonly presented: true;
}
type PresentedEvents = { [N in ServerEventName]: (data: Presented) => void };

export type SocketServer = Server<ClientToServerEvents, PresentedEvents, DefaultEventsMap, SocketData>;
export type ClientSocket = Socket<ClientToServerEvents, PresentedEvents, DefaultEventsMap, SocketData>;

/** An event as it may leave: see `present`. */
export function presentEvent<N extends ServerEventName>(name: N, data: ServerEventData<N>): Presented {
  const kept: unknown = toContract(serverEvents[name], data);
  // A mark for the compiler alone.
  return kept as Presented;
}

/** More than any event of the contract takes; a client that sends more is cut off. */
const maxBytes = 64 * 1024;

/** Where all of a person's tabs are. */
export const userRoom = (userId: number): string => `user:${userId}`;

/** The Socket.IO server, before it is given an HTTP server. */
export function createSocketServer(): SocketServer {
  const io: SocketServer = new Server({
    path: socketPath,
    serveClient: false,
    maxHttpBufferSize: maxBytes,
    // A connection that died without a word is found after 35 s at most.
    pingInterval: 20_000,
    pingTimeout: 15_000,
    // Whoever opens a connection and says no more.
    connectTimeout: 10_000,
  });
  return io;
}

/**
 * Listens on an HTTP server, with connection ids that lead a gateway back to this node. Answers how to close: not
 * io.close(), since clients whose connection just ends come back by themselves, to another node.
 */
export function attach(io: SocketServer, server: HttpServer): () => void {
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
    // The server itself does not close what was upgraded, and a client that is gone does not say goodbye.
    for (const socket of upgraded) socket.destroy();
  };
}

/**
 * Ends the connections of this node, spread over so many milliseconds, each as if its line had gone: its client comes back by
 * itself, to another node.
 */
export async function sendAway(io: SocketServer, overMs: number): Promise<void> {
  const connections = [...io.sockets.sockets.values()].map(({ conn }) => conn);
  const began = performance.now();
  for (const [index, connection] of connections.entries()) {
    const due = began + (index / connections.length) * overMs;
    if (due > performance.now()) await setTimeout(due - performance.now());
    connection.close();
  }
}

/** The people who have a tab on this node. */
export const localPeople = (io: SocketServer): number[] => [
  ...new Set([...io.sockets.sockets.values()].map(({ data }) => data.caller.id)),
];

/** How many tabs of a person are on this node. */
export const localTabs = (io: SocketServer, userId: number): number =>
  io.sockets.adapter.rooms.get(userRoom(userId))?.size ?? 0;

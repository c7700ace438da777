import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** A response on a connection that Node's server has handed over with an upgrade; the connection ends with it. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse | undefined {
  if (!(socket instanceof Socket) || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.destroySoon());
  return response;
}

/** Handles an upgrade request as a usual request, as a server may (RFC 9110, section 7.8). */
export function handleWithoutUpgrade(
  handler: RequestListener,
  request: IncomingMessage,
  socket: Duplex,
): void {
  socket.on('error', () => socket.destroy());
  const response = responseOn(request, socket);
  if (response) handler(request, response);
}

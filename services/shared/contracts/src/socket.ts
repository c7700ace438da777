/**
 * The socket (Socket.IO, default path). The handshake carries the token as `auth.token`; a rejected one gets `connect_error` with
 * the problem as its `data`. Events are notifications only: everything is saved first and can be loaded over HTTP.
 */
export const socketPath = '/socket.io';

/** Reconnection of clients (spec, section 9): back-off of 1–5 s with a randomization of 0.5, connect timeout of 20 s. */
export const socketClientOptions = {
  path: socketPath,
  transports: ['websocket', 'polling'] as string[],
  /** Falls back to polling in the same attempt if a proxy rejects WebSockets. */
  tryAllTransports: true,
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  randomizationFactor: 0.5,
  timeout: 20_000,
};

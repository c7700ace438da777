/**
 * The socket (Socket.IO, default path). The handshake carries the token as `auth.token`; a refused one gets
 * `connect_error` with the problem as its `data`. Every event is the fast path only: what counts was saved first
 * and can be asked for over HTTP.
 */
export const socketPath = '/socket.io';

/** How a client connects again, from the specification: 1–5 s, spread by half, 20 s for one attempt. */
export const socketClientOptions = {
  path: socketPath,
  transports: ['websocket', 'polling'] as string[],
  /** A proxy that refuses WebSockets leaves polling, in the same attempt. */
  tryAllTransports: true,
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  randomizationFactor: 0.5,
  timeout: 20_000,
};

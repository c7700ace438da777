import { createHash } from 'node:crypto';

/**
 * Names a realtime node by where it listens, without telling its address. Connection ids begin with it, so that any
 * gateway finds the node that a polling client's connection lives on.
 */
export const socketNodeTag = (host: string, port: number): string =>
  createHash('sha256')
    .update(`${host.replace(/^::ffff:/, '')}:${port}`)
    .digest('base64url')
    .slice(0, 8);

/** The node's tag in a connection's id. */
export const tagOfSocketId = (socketId: string): string => socketId.slice(0, socketId.indexOf('.'));

import { createHash } from 'node:crypto';

/**
 * Returns a tag for the address that a realtime node listens on, which does not reveal it. Connection ids begin with
 * the tag, so that any gateway finds the node of a polling client's connection.
 */
export const socketNodeTag = (host: string, port: number): string =>
  createHash('sha256')
    .update(`${host.replace(/^::ffff:/, '')}:${port}`)
    .digest('base64url')
    .slice(0, 8);

/** The node's tag in a connection's id. */
export const tagOfSocketId = (socketId: string): string => socketId.slice(0, socketId.indexOf('.'));

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ChannelModel, connect } from 'amqplib';

const require = createRequire(import.meta.url);

/**
 * amqplib (2.3) continues to read after the response to `open` before its caller can add listeners. If the broker's
 * close is in the same packet, the error has no listener and ends the process; the callback API behaves the same. So
 * the next read is deferred by one turn.
 */
function deferFirstRead(): void {
  const library: { Connection: { prototype: { acceptLoop(): void } } } = require(
    join(dirname(require.resolve('amqplib')), 'lib/connection.js'),
  );
  const { prototype } = library.Connection;
  const { acceptLoop } = prototype;
  prototype.acceptLoop = function () {
    setImmediate(() => acceptLoop.call(this));
  };
}
deferFirstRead();

const connectTimeoutMs = 10_000;

/**
 * Opens a connection to RabbitMQ whose errors never end the process: pending operations on it fail with them.
 *
 * @param url - URL of the broker.
 * @param name - Name of the connection in the broker's management.
 * @returns The open connection.
 * @throws If the broker cannot be reached within ten seconds, or rejects the connection.
 */
export async function connectAmqp(url: string, name?: string): Promise<ChannelModel> {
  const connection = await connect(url, {
    noDelay: true,
    timeout: connectTimeoutMs,
    ...(name && { clientProperties: { connection_name: name } }),
  });
  connection.on('error', () => {});
  return connection;
}

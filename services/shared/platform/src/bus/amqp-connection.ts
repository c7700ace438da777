import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ChannelModel, connect } from 'amqplib';

const require = createRequire(import.meta.url);

/**
 * amqplib (2.3) reads on behind the answer to the opening before it gives the connection to anybody who could listen: the
 * broker's close in the same packet is an error without a listener, and ends the process. Its callback form is no better. So
 * what follows the opening is read a moment later.
 */
function readOnceSomebodyListens(): void {
  const library: { Connection: { prototype: { acceptLoop(): void } } } = require(
    join(dirname(require.resolve('amqplib')), 'lib/connection.js'),
  );
  const { prototype } = library.Connection;
  const { acceptLoop } = prototype;
  prototype.acceptLoop = function () {
    setImmediate(() => acceptLoop.call(this));
  };
}
readOnceSomebodyListens();

const connectWithinMs = 10_000;

/**
 * Opens a connection to RabbitMQ whose errors never end the process: what is under way on it fails with them.
 *
 * @param url - of the broker
 * @param name - as the broker shows the connection
 * @returns the connection, open
 * @throws when the broker cannot be reached within ten seconds, or refuses
 */
export async function connectAmqp(url: string, name?: string): Promise<ChannelModel> {
  const connection = await connect(url, {
    noDelay: true,
    timeout: connectWithinMs,
    ...(name && { clientProperties: { connection_name: name } }),
  });
  connection.on('error', () => {});
  return connection;
}

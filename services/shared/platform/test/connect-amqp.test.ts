import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { connectAmqp, connectRabbitMq } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';

const logger = createLogger({ name: 'test', level: 'silent' });

const short = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const long = (value: number) => Buffer.concat([short(value >>> 16), short(value & 0xffff)]);
const shortText = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const longText = (text: string) => Buffer.concat([long(text.length), Buffer.from(text)]);

/** Encodes a method of class `connection` as a frame on channel 0. */
function method(id: number, ...fields: Buffer[]): Buffer {
  const payload = Buffer.concat([short(10), short(id), ...fields]);
  return Buffer.concat([Buffer.from([1]), short(0), long(payload.length), payload, Buffer.from([0xce])]);
}
const start = method(10, Buffer.from([0, 9]), long(0), longText('PLAIN'), longText('en_US'));
const tune = method(30, short(0), long(131_072), short(0));
const openOk = method(41, shortText(''));
const close = method(50, short(504), shortText('CHANNEL_ERROR'), short(0), short(0));

/** A broker that closes each connection in the same packet as its `open-ok`. */
let broker: Server;
let url: string;
beforeAll(async () => {
  broker = createServer((socket) => {
    const replies = [start, tune, Buffer.concat([openOk, close])];
    socket.on('error', () => {});
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply) socket.write(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  url = `amqp://127.0.0.1:${(broker.address() as AddressInfo).port}`;
});
afterAll(() => broker.close());

test('a connection that the broker closes right after opening it fails, and does not end the process', async () => {
  const connection = await connectAmqp(url);
  await expect(once(connection, 'close')).rejects.toThrow('CHANNEL-ERROR');
});

test('connecting fails if the broker closes each connection right after opening it', async () => {
  await expect(connectRabbitMq({ url, logger, firstAttempts: 1 })).rejects.toThrow();
});

// Fails when amqplib does not need the patch any more (infra/docs/patched-libraries.md).
test('such a connection of amqplib alone ends the process', async () => {
  const script = `require('amqplib').connect(process.argv[1]).then((connection) => connection.on('error', () => {}))`;
  const child = spawn(process.execPath, ['-e', script, url], { cwd: import.meta.dirname, stdio: 'pipe' });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("Emitted 'error' event") });
});

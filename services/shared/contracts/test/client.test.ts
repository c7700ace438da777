import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { stallProcess } from '@wayquest/testing';
import { createClient } from '../src/index.ts';

/** A server in a thread of its own, which responds once the other thread is blocked (`state[0]`), and says so (`state[1]`). */
const serverCode = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: state } = require('node:worker_threads');
  const server = createServer((request, response) => {
    parentPort.postMessage('received');
    Atomics.wait(state, 0, 0);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]', () => {
      Atomics.store(state, 1, 1);
      Atomics.notify(state, 1);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('a response that arrived while the program was stopped for longer than the timeout is received (51.5)', async () => {
  // What comes before the stall has to take less.
  const timeoutMs = 4_000;
  const state = new Int32Array(new SharedArrayBuffer(8));
  const server = new Worker(serverCode, { eval: true, workerData: state });
  try {
    const [port] = await once(server, 'message');
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs });
    const places = client.listKnownPlaces({ query: { bbox: '0,0,1,1' } });
    await once(server, 'message');
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0);
    stallProcess(timeoutMs);
    expect(await places).toEqual([]);
  } finally {
    await server.terminate();
  }
});

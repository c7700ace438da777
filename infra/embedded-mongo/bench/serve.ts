import { setTimeout as wait } from 'node:timers/promises';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = '', limit] = process.argv.slice(2);
const started = performance.now();
const server = await startEmbeddedMongo({ directory, ...(limit && { diskFreeLimit: Number(limit) }) });
const openMs = performance.now() - started;
// Checks that the lock of the folder survives garbage collection; finalizers run one turn later.
for (let round = 0; round < 2; round += 1) {
  globalThis.gc?.();
  await wait(10);
}
console.log(JSON.stringify({ url: server.url, openMs }));
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});

import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = ''] = process.argv.slice(2);
const started = performance.now();
const server = await startEmbeddedMongo({ directory });
// What it holds, the lock of its folder above all, has to outlive whatever nobody holds.
globalThis.gc?.();
console.log(JSON.stringify({ url: server.url, openMs: performance.now() - started }));
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});

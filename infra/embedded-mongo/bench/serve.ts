import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = ''] = process.argv.slice(2);
const started = performance.now();
const server = await startEmbeddedMongo({ directory });
console.log(JSON.stringify({ url: server.url, openMs: performance.now() - started }));
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});

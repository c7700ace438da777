import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = '', port = '0'] = process.argv.slice(2);
const started = performance.now();
const server = await startEmbeddedMongo({ directory, port: Number(port) });
console.log(JSON.stringify({ url: server.url, openMs: performance.now() - started }));
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});

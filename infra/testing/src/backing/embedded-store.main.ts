import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = '', port] = process.argv.slice(2);
const store = await startEmbeddedMongo({
  ...{ directory, port: Number(port) },
  noTableScan: true,
  // Its folder is deleted after the run, and a slow disk must not slow the tests down.
  durable: false,
});
process.once('SIGTERM', async () => {
  await store.stop();
  process.exit(0);
});

import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = '', port] = process.argv.slice(2);
const store = await startEmbeddedMongo({
  ...{ directory, port: Number(port) },
  noTableScan: true,
  // Its folder goes with the run, and a slow disk must not slow the tests.
  durable: false,
});
process.once('SIGTERM', async () => {
  await store.stop();
  process.exit(0);
});

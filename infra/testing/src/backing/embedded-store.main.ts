import { startEmbeddedMongo } from '@wayquest/embedded-mongo';

const [directory = '', port] = process.argv.slice(2);
const store = await startEmbeddedMongo({ directory, port: Number(port), noTableScan: true });
process.once('SIGTERM', async () => {
  await store.stop();
  process.exit(0);
});

import { runUntilSignal } from '@wayquest/platform/process';
import { createLogger } from '@wayquest/platform/telemetry';
import { openStore } from '../src/store.ts';

const [directory = '', port] = process.argv.slice(2);
const logger = createLogger({ name: 'store', level: 'warn' });
let stop = async () => {};

await runUntilSignal(logger, {
  async start() {
    const store = await openStore(directory, { logger, port: Number(port) });
    stop = store.stop;
  },
  stop: () => stop(),
});

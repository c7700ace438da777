import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createCleanup } from '@wayquest/testing/backing-services';

// Starts two services, and prints what happens to them.
const print = (sentence: string) => process.stdout.write(`${sentence}\n`);

const start = async (name: string) => {
  print(`starting ${name}`);
  // The signal arrives during the start.
  if (process.argv[2] === 'starting') await once(process, 'SIGINT');
  print(`started ${name}`);
  return {
    async stop() {
      print(`stopping ${name}`);
      await pause(process.argv[2] === 'hanging' ? 60_000 : 100);
      print(`stopped ${name}`);
    },
  };
};

// Keeps the process running.
setInterval(() => {}, 1_000);

const cleanup = createCleanup();
await cleanup.register(start('one'));
await cleanup.register(start('other'));
print('all started');
if (process.argv[2] === 'finishing') await cleanup.exit(7);

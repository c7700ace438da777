import { once } from 'node:events';
import { setTimeout as aMoment } from 'node:timers/promises';
import { cleanUpBeforeTheEnd } from '@wayquest/testing/backing-services';

/** A command that starts two things, and tells what becomes of them. */
const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

const start = async (name: string) => {
  say(`starting ${name}`);
  // Nothing has started before the signal is here.
  if (process.argv[2] === 'starting') await once(process, 'SIGINT');
  say(`started ${name}`);
  return {
    async stop() {
      say(`stopping ${name}`);
      await aMoment(process.argv[2] === 'hanging' ? 60_000 : 100);
      say(`stopped ${name}`);
    },
  };
};

// It would end by itself when nothing is left to wait for.
setInterval(() => {}, 1_000);

const cleanup = cleanUpBeforeTheEnd();
await cleanup.keep(start('one'));
await cleanup.keep(start('other'));
say('all is up');
if (process.argv[2] === 'finishing') await cleanup.end(7);

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { createFailedDeliveries, createInProcessBus, newEvent } from '@wayquest/platform/bus';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually } from '@wayquest/testing';

const script = fileURLToPath(new URL('../src/dead-letters.ts', import.meta.url));
const logger = createLogger({ name: 'test', level: 'silent' });

/** Runs the script in a process of its own, as `npm run dead-letters` does. */
const deadLetters = (args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const node = ['--import', 'tsx', '--conditions=@wayquest/source', '--no-warnings', script, ...args];
    const { PATH, HOME } = process.env;
    execFile(process.execPath, node, { env: { PATH, HOME, ...env } }, (error, out, problems) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + problems }),
    );
  });

describe('npm run dead-letters, without a broker', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-dead-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('lists and replays on the files of an installation that is stopped, and while it runs', async () => {
    const event = newEvent('challenge.deleted.v1', { challengeId: 7 });
    const line = `${event.occurredAt}  ${event.name}  ${event.id}  Error: never\n`;
    const folder = join(directory, 'store');
    const openBus = async () => {
      const store = await startEmbeddedMongo({ directory: folder });
      const connection = await connectMongo({ url: store.url, database: 'wayquest_bus', logger });
      const failed = createFailedDeliveries(connection);
      const bus = createInProcessBus({ logger, services: ['participation'], failed });
      return {
        url: store.url,
        bus,
        failed,
        async stop() {
          await bus.close();
          connection.removeAllListeners('disconnected');
          await connection.close();
          await store.stop();
        },
      };
    };

    const first = await openBus();
    await first.failed.keep({
      service: 'participation',
      event,
      attempt: 5,
      reason: 'Error: never',
      dueAt: null,
    });
    await first.stop();
    expect(await deadLetters(['list', 'participation'], { DATA_DIR: directory })).toEqual({
      code: 0,
      said: `${line}1 dead\n`,
    });

    const running = await openBus();
    try {
      await writeFile(join(directory, 'mongo.url'), running.url);
      const handled: unknown[] = [];
      await running.bus.subscribe('participation', {
        'challenge.deleted.v1': async ({ data }) => void handled.push(data),
      });
      expect(await deadLetters(['replay', 'participation'], { DATA_DIR: directory })).toEqual({
        code: 0,
        said: `${line}1 sent again\n`,
      });
      await eventually(() => handled.length > 0);
      expect(handled).toEqual([{ challengeId: 7 }]);
      expect(await deadLetters(['list', 'participation'], { DATA_DIR: directory })).toMatchObject({
        said: '0 dead\n',
      });
    } finally {
      await running.stop();
    }
  }, 60_000);

  it('shows how it is used, and says when there is no data', async () => {
    expect(await deadLetters(['bury', 'chat'], {})).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^npm run dead-letters -- list\|replay /),
    });
    expect(await deadLetters(['list', 'chat'], { DATA_DIR: directory })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^There is no data in /),
    });
  });
});

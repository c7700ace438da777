import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { createFailedDeliveries, createInProcessBus, newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import { connectTestStore, eventually } from '@wayquest/testing';
import { admin } from './admin-process.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('npm run admin -- dead-letters, without a broker', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-dead-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('lists and replays in the files of a stopped installation, and in a running one', async () => {
    const event = newEvent('challenge.deleted.v1', { challengeId: 7 });
    const line = `${event.occurredAt}  ${event.name}  ${event.id}  Error: never\n`;
    const folder = join(directory, 'store');
    const openBus = async () => {
      const store = await startEmbeddedMongo({ directory: folder });
      const connection = await connectTestStore('wayquest_bus', { url: store.url });
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
    await first.failed.save({
      service: 'participation',
      event,
      attempt: 5,
      reason: 'Error: never',
      dueAt: null,
    });
    await first.stop();
    expect(await admin(['dead-letters', 'list', 'participation'], { DATA_DIR: directory })).toEqual({
      code: 0,
      output: `${line}1 dead\n`,
    });

    const running = await openBus();
    try {
      await writeFile(join(directory, 'mongo.url'), running.url);
      const handled: unknown[] = [];
      await running.bus.subscribe('participation', {
        'challenge.deleted.v1': async ({ data }) => void handled.push(data),
      });
      expect(await admin(['dead-letters', 'replay', 'participation'], { DATA_DIR: directory })).toEqual({
        code: 0,
        output: `${line}1 sent again\n`,
      });
      await eventually(() => handled.length > 0);
      expect(handled).toEqual([{ challengeId: 7 }]);
      expect(await admin(['dead-letters', 'list', 'participation'], { DATA_DIR: directory })).toMatchObject({
        output: '0 dead\n',
      });
    } finally {
      await running.stop();
    }
  });

  it('lists the services, and reports if there is no data', async () => {
    expect(await admin(['dead-letters', 'bury', 'chat'], {})).toMatchObject({
      code: 2,
      output: expect.stringContaining('npm run admin -- dead-letters list|replay <service>'),
    });
    expect(await admin(['dead-letters', 'list', 'chats'], {})).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^There is no service chats. There are auth, /),
    });
    expect(await admin(['dead-letters', 'list', 'chat'], { DATA_DIR: directory })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no data in /),
    });
  });
});

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTest, createRecordingLogger, createTestClock, eventually } from '@wayquest/testing';
import { register } from 'prom-client';
import { startScheduledBackups } from '../src/scheduled-backups.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Starts backups at three in a folder of their own, by a clock that begins at noon. */
async function start({
  at,
  now = '2026-05-04T12:00:00Z',
  existing = [],
  keep = 3,
  isAway = false,
}: {
  /** The folder of an earlier start. */
  at?: string;
  now?: string;
  existing?: string[];
  keep?: number;
  /** Whether something else is in the place of the folder. */
  isAway?: boolean;
} = {}) {
  const folder = at ?? (await mkdtemp(join(tmpdir(), 'wayquest-backups-')));
  if (isAway) {
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
  }
  const problems: string[] = [];
  const write = async (into: string) => {
    await mkdir(into, { recursive: true });
    await writeFile(join(into, 'backup.json'), '{}');
  };
  for (const name of existing) await write(join(folder, name));
  const clock = createTestClock(Date.parse(now));
  const pauses: number[] = [];
  const { logger, hasLogged } = createRecordingLogger();
  const stop = startScheduledBackups({
    ...{ folder, timeOfDay: '03:00', keep, logger },
    clock: {
      now: clock.now,
      sleep(ms, signal) {
        pauses.push(ms);
        return clock.sleep(ms, signal);
      },
    },
    async make(into) {
      const problem = problems.shift();
      if (problem) throw new Error(problem);
      await write(into);
      return 7;
    },
  });
  afterTest(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  let passed = 0;
  /** Waits until it pauses again, and lets that time pass. Returns the pause in milliseconds. */
  const passPause = async (): Promise<number> => {
    await eventually(() => pauses.length > passed);
    const pause = pauses[passed++] ?? Number.NaN;
    await clock.advance(pause);
    return pause;
  };
  const names = async () => (await readdir(folder)).sort();
  return { folder, names, problems, passPause, hasLogged, stop };
}

it('makes one at once if there is none, and then one every night', async () => {
  const { names, passPause } = await start();
  expect(await passPause()).toBe(0);
  expect(await passPause()).toBe(15 * hourMs);
  expect(await passPause()).toBe(24 * hourMs);
  await eventually(async () =>
    expect(await names()).toEqual(['2026-05-04T12-00-00Z', '2026-05-05T03-00-00Z', '2026-05-06T03-00-00Z']),
  );
});

it('waits for the night if the newest one is younger than a day, and for nothing otherwise', async () => {
  expect(await (await start({ existing: ['2026-05-03T12-00-01Z'] })).passPause()).toBe(15 * hourMs);
  expect(await (await start({ existing: ['2026-05-03T12-00-00Z'] })).passPause()).toBe(0);
});

it('tries again every ten minutes until one succeeds', async () => {
  const { names, problems, passPause, hasLogged } = await start();
  problems.push('The store is being changed', 'The store is being changed');
  await passPause();
  for (const _ of [1, 2]) expect(await passPause()).toBe(10 * minuteMs);
  await eventually(async () => expect(await names()).toEqual(['2026-05-04T12-20-00Z']));
  expect(hasLogged('backup failed')).toBe(true);
});

it('tries again until it finds its folder', async () => {
  const { folder, names, passPause, hasLogged } = await start({ isAway: true });
  expect(await passPause()).toBe(10 * minuteMs);
  expect(hasLogged('backup failed')).toBe(true);
  await rm(folder);
  await passPause();
  expect(await passPause()).toBe(0);
  await eventually(async () => expect(await names()).toEqual(['2026-05-04T12-20-00Z']));
});

it('deletes one that was interrupted before it makes the next', async () => {
  const { folder, names, passPause } = await start();
  await mkdir(join(folder, '.unfinished/users'), { recursive: true });
  await passPause();
  await eventually(async () => expect(await names()).toEqual(['2026-05-04T12-00-00Z']));
});

it('keeps as many as it should, and whatever else is in the folder', async () => {
  const { folder, passPause } = await start({
    existing: ['2026-05-01T03-00-00Z', '2026-05-02T03-00-00Z', '2026-05-03T03-00-00Z', 'before-the-move'],
  });
  await mkdir(join(folder, '2026-04-30T03-00-00Z'));
  await passPause();
  await eventually(async () =>
    expect((await readdir(folder)).sort()).toEqual([
      // It is incomplete, so somebody may be copying it.
      '2026-04-30T03-00-00Z',
      '2026-05-02T03-00-00Z',
      '2026-05-03T03-00-00Z',
      '2026-05-04T12-00-00Z',
      'before-the-move',
    ]),
  );
});

const newest = async () => {
  const metric = await register.getSingleMetric('wayquest_backup_newest_timestamp_seconds')?.get();
  return metric?.values[0]?.value;
};

it('tells since when there is none, for the alert, also after it was started again', async () => {
  const first = await start();
  first.problems.push('The store is away');
  await first.passPause();
  await eventually(() => first.hasLogged('backup failed'));
  await first.stop();
  const second = await start({ at: first.folder, now: '2026-05-05T12:00:00Z' });
  second.problems.push('The store is away');
  await second.passPause();
  await eventually(() => second.hasLogged('backup failed'));
  expect(await newest()).toBe(Date.parse('2026-05-04T12:00:00Z') / 1_000);
});

it('tells when the newest one was made, for the alert', async () => {
  const { passPause } = await start({ existing: ['2026-05-04T03-00-00Z'] });
  await eventually(async () => expect(await newest()).toBe(Date.parse('2026-05-04T03:00:00Z') / 1_000));
  await passPause();
  await eventually(async () => expect(await newest()).toBe(Date.parse('2026-05-05T03:00:00Z') / 1_000));
});

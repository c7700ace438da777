import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wayquest/platform/async';
import type { Logger } from '@wayquest/platform/telemetry';
import { Gauge } from 'prom-client';
import { contentsFile } from './backup.ts';

const newestBackup = new Gauge({
  name: 'wayquest_backup_newest_timestamp_seconds',
  help: 'When the newest complete backup was made; before the first one, since when one is missing',
});

const dayMs = 24 * 3_600_000;
/** Pause before the next attempt, in milliseconds: whoever was writing may have finished. */
const retryMs = 10 * 60_000;

/** The name of a backup: names sort by time, and are valid in every file system. */
const nameAt = (time: number): string =>
  new Date(time).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
const namePattern = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\dZ)$/;
const timeOf = (name: string): number => Date.parse(name.replace(namePattern, '$1:$2:$3'));

/** Where a backup is made. It gets its name when it is complete; one that was interrupted is deleted before the next. */
const unfinishedName = '.unfinished';

/** Holds since when a backup is missing: a process that starts again and again must not silence the alert. */
const missingSinceName = '.missing-since';

/** The names of complete backups, the oldest first. Whatever else is in the folder is left alone. */
const completeBackups = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => namePattern.test(name) && existsSync(join(folder, name, contentsFile)))
    .sort();

/** When the next backup is due: at once if the newest one is a day old, otherwise at the next such time of day. */
function dueAt(now: number, timeOfDay: string, newest: number | undefined): number {
  if (newest === undefined || now - newest >= dayMs) return now;
  const today = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${timeOfDay}:00Z`);
  return today > now ? today : today + dayMs;
}

export interface BackupSchedule {
  /** The folder of all backups. */
  folder: string;
  /** The time of day, in UTC, as `03:00`. */
  timeOfDay: string;
  /** How many backups are kept. */
  keep: number;
  /** Makes a backup in a folder, of which nothing is left after an error. */
  make(folder: string): Promise<number>;
  clock: Clock;
  logger: Logger;
}

/**
 * Makes a backup every day, again and again until one succeeds, and deletes the oldest ones afterwards.
 *
 * @returns A function that stops it, and waits for a backup in progress.
 */
export function startScheduledBackups({
  folder,
  timeOfDay,
  keep,
  make,
  clock,
  logger,
}: BackupSchedule): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  const makeOne = async (): Promise<void> => {
    const name = nameAt(clock.now());
    const unfinished = join(folder, unfinishedName);
    await rm(unfinished, { recursive: true, force: true });
    const documents = await make(unfinished);
    await rename(unfinished, join(folder, name));
    await rm(join(folder, missingSinceName), { force: true });
    const complete = await completeBackups(folder);
    const outdated = complete.slice(0, -keep);
    for (const old of outdated) await rm(join(folder, old), { recursive: true });
    logger.info({ backup: name, documents, deleted: outdated }, 'backup made');
  };

  const findNewest = async (): Promise<number | undefined> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return (await completeBackups(folder)).map(timeOf).at(-1);
  };

  const findMissingSince = async (): Promise<number> => {
    const file = join(folder, missingSinceName);
    if (!existsSync(file)) await writeFile(file, new Date(clock.now()).toISOString());
    // Unreadable if the first start was interrupted.
    return Date.parse(await readFile(file, 'utf8')) || clock.now();
  };

  /** Takes a step again and again until it succeeds: also a folder can be away, or belong to somebody else. */
  const untilDone = async <T>(step: () => Promise<T>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await step();
      } catch (error) {
        logger.error({ err: error, retryInMs: retryMs }, 'backup failed');
        await clock.sleep(retryMs, signal);
      }
    }
  };

  const run = async (): Promise<void> => {
    newestBackup.set(clock.now() / 1_000);
    for (;;) {
      const newest = await untilDone(findNewest);
      newestBackup.set((newest ?? (await untilDone(findMissingSince))) / 1_000);
      await clock.sleep(dueAt(clock.now(), timeOfDay, newest) - clock.now(), signal);
      await untilDone(makeOne);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) logger.fatal({ err: error }, 'backups have stopped');
  });
  return async () => {
    stopping.abort();
    await running;
  };
}

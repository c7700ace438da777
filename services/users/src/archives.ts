import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Archive,
  type ArchiveAddress,
  archiveAddressSeconds,
  CallError,
  type OwnData,
  operations,
  operationUrl,
} from '@wayquest/contracts';
import { type PeriodicTask, startPeriodicTask, whileRenewing } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { limits, Problem } from '@wayquest/platform/core';
import type { Idempotency } from '@wayquest/platform/http';
import { type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { BlockReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { QueryFilter } from 'mongoose';
import pLimit from 'p-limit';
import type { z } from 'zod';
import { type ArchiveDocument, archiveModel, archivePartModel } from './archive.model.ts';
import { pictureModel } from './pictures.ts';
import { profileModel } from './profile.model.ts';
import { createZipStream } from './zip-stream.ts';

/** Calls a service for a page of its data of the caller. */
export type OwnDataSource = (
  cursor: string | undefined,
  caller: Pick<Caller, 'id' | 'token'>,
) => Promise<OwnData>;

/** Loads a photo of a completed challenge; undefined if it was removed meanwhile. */
export type PhotoSource = (
  photo: { participationId: number; name: string },
  token: string,
) => Promise<Uint8Array | undefined>;

type ArchiveJob = Omit<ArchiveDocument, keyof WithOutbox>;

const ttlMs = 24 * 60 * 60 * 1_000;
/** Lease of the instance that collects, renewed from the request on: an archive may wait in the queue for longer. */
const leaseMs = 60_000;
/** Interval of the search for archives of instances that crashed. */
const abandonedEveryMs = 60_000;
const maxAbandoned = 100;
/** How long to wait where the user's requests are limited. */
const rateLimitPauseMs = 5_000;
/** Size of a part of the file, in one document. */
const pieceBytes = 256 * 1_024;
const archiveQueue = pLimit(2);
const maxQueued = limits.archiveQueue.max;

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** Fields of records that contain ids of other users. */
const userIdFields = ['userId', 'friendId', 'blockedId', 'senderId', 'receiverId'];

const readmeOf = (
  siteName: string,
) => `What ${siteName} holds of you, a file for each kind, in JSON (UTF-8). People are named by ids; people.json says
who that is, except where one of you blocked the other. What others keep of you as copies, such as your name beside a
challenge, is not in here twice. Passwords and keys are not in here: they are kept as hashes, or guard your browsers.
`;

/** A file name that every system can store, of the name of an installation. */
const fileNameOf = (siteName: string) => {
  const words = siteName.toLowerCase().match(/[a-z\d]+/g) ?? ['archive'];
  return `${words.join('-')}.zip`;
};

/** A finished archive. */
export interface ArchiveFile {
  /** The name that the file is saved under. */
  name: string;
  /** In bytes. */
  size: number;
  /** Identifies its content: no two archives share it. */
  tag: string;
  /** Reads it from one byte to another, both included. Throws if it is deleted meanwhile. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
}

/** Collects all services' data of a user into one file, which is kept for a day, and publishes when it is ready. */
export interface Archives {
  of(userId: number): Promise<{
    state: 'none' | 'preparing' | 'ready' | 'failed';
    readyAt?: string | undefined;
    until?: string | undefined;
    size?: number | undefined;
  }>;
  /**
   * Starts an archive, or returns the one in progress. It is made with the caller's token, also if their session ends meanwhile. One
   * that fails does not count. Throws `too-many-requests` and `service-unavailable`.
   */
  start(caller: Caller, idempotency: Idempotency | undefined): Promise<z.input<typeof Archive>>;
  /** Throws `not-found`. */
  openFile(userId: number): Promise<ArchiveFile>;
  /** Creates the one valid address of the user's archive. Throws `not-found`. */
  makeAddress(userId: number): Promise<ArchiveAddress>;
  /** The archive of an address, to whoever has it. Throws `not-found`, whatever the reason. */
  openAddress(userId: number, key: string): Promise<ArchiveFile>;
  /** Also deletes archives of others that name the user; they can be created again. */
  erase(userId: number): Promise<void>;
  /** Starts the search for archives of instances that crashed. */
  startTask(): void;
  /** Aborts archives in progress, which fail. */
  stop(): Promise<void>;
}

/** Creates the archives of people's data, and the periodic task that makes them. */
export function createArchives({
  kit: { connection, clock, logger, outboxes },
  sources,
  photoOf,
  blocks,
  limiter,
  siteName,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger' | 'outboxes'>;
  /** By service name. */
  sources: Record<string, OwnDataSource>;
  photoOf: PhotoSource;
  /** Users whose names are left out. */
  blocks: Pick<BlockReplica, 'hiddenFrom'>;
  limiter: RateLimiter;
  siteName: string;
}): Archives {
  const Archives = archiveModel(connection);
  const outbox = outboxes.forModel(Archives);
  const Parts = archivePartModel(connection);
  const Pictures = pictureModel(connection);
  const Profiles = profileModel(connection);
  const runningJobs = new Set<Promise<void>>();
  const stopping = new AbortController();
  let task: PeriodicTask | undefined;

  const present = (archive: ArchiveJob | null): z.input<typeof Archive> => {
    if (!archive || archive.expiresAt.getTime() < clock.now()) return { state: 'none' };
    const { state, leaseUntil, readyAt, expiresAt, size } = archive;
    // The instance that collected it crashed.
    if (state === 'preparing' && leaseUntil.getTime() < clock.now()) return { state: 'failed' };
    if (state !== 'ready') return { state };
    return {
      state,
      size,
      until: expiresAt.toISOString(),
      ...(readyAt && { readyAt: readyAt.toISOString() }),
    };
  };

  /** Finds the user's archive if it is ready. Throws `not-found`. */
  const findReady = async (userId: number): Promise<ArchiveJob> => {
    const archive = await Archives.findById(userId).lean();
    if (!archive || present(archive).state !== 'ready') throw new Problem('not-found');
    return archive;
  };

  const fileOf = ({ run, size }: ArchiveJob): ArchiveFile => ({
    name: fileNameOf(siteName),
    size,
    tag: run,
    async *read(start, end) {
      for (let n = Math.floor(start / pieceBytes); n * pieceBytes <= end; n++) {
        const part = await Parts.findById(`${run}:${n}`);
        // An incomplete file must not look complete.
        if (!part) throw new Error('the archive was deleted while it was downloaded');
        const offset = n * pieceBytes;
        yield part.data.subarray(Math.max(start - offset, 0), end + 1 - offset);
      }
    },
  });

  const deleteParts = (run: string) => Parts.deleteMany({ _id: { $gte: `${run}:`, $lt: `${run};` } });

  /** Claims the archive of a user; undefined if another instance has it. */
  const claim = async (userId: number, idempotencyKey: string | null): Promise<ArchiveJob | undefined> => {
    const now = clock.now();
    const state = {
      run: randomUUID(),
      state: 'preparing' as const,
      leaseUntil: new Date(now + leaseMs),
      readyAt: null,
      size: 0,
      people: [],
      idempotencyKey,
      address: null,
      expiresAt: new Date(now + ttlMs),
    };
    const claimableFilter: QueryFilter<ArchiveDocument> = {
      $or: [{ state: { $ne: 'preparing' } }, { leaseUntil: { $lt: new Date(now) } }],
    };
    try {
      await Archives.updateOne({ _id: userId, ...claimableFilter }, { $set: state }, { upsert: true });
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    return { _id: userId, ...state };
  };

  const collect = async ({ _id: userId, run, expiresAt }: ArchiveJob, token: string): Promise<number> => {
    const zip = createZipStream();
    let buffer = Buffer.alloc(0);
    let pieces = 0;
    let size = 0;

    const store = async (data: Buffer) => {
      await Parts.create({ _id: `${run}:${pieces++}`, userId, data, expiresAt });
      size += data.length;
    };
    const flush = async () => {
      buffer = Buffer.concat([buffer, zip.read()]);
      while (buffer.length >= pieceBytes) {
        await store(buffer.subarray(0, pieceBytes));
        buffer = buffer.subarray(pieceBytes);
      }
    };
    const saveProgress = async (changes: Pick<ArchiveJob, 'people'> = {}) => {
      stopping.signal.throwIfAborted();
      const leaseUntil = new Date(clock.now() + leaseMs);
      const { matchedCount } = await Archives.updateOne(
        { _id: userId, run },
        { $set: { leaseUntil, ...changes } },
      );
      if (!matchedCount) throw new Error('the archive was claimed by another instance or deleted');
    };

    zip.add('README.txt', Buffer.from(readmeOf(siteName)));
    const people = new Set<number>([userId]);
    const photos: { participationId: number; name: string }[] = [];
    for (const [service, source] of Object.entries(sources)) {
      let file: { kind: string; list: ReturnType<typeof zip.list> } | undefined;
      let cursor: string | undefined;
      do {
        await saveProgress();
        const { records, next } = await source(cursor, { id: userId, token });
        for (const { kind, data } of records) {
          if (file?.kind !== kind) {
            file?.list.end();
            file = { kind, list: zip.list(`${service}/${kind}.json`) };
          }
          file.list.push(data);
          if (kind === 'participations' && typeof data.photo === 'string')
            photos.push({ participationId: Number(data.id), name: data.photo });
          for (const field of userIdFields) if (typeof data[field] === 'number') people.add(data[field]);
        }
        await flush();
        cursor = next;
      } while (cursor);
      file?.list.end();
    }
    // Before loading names: a deletion from now on deletes the archive, too.
    await saveProgress({ people: [...people] });
    const list = zip.list('people.json');
    const hidden = await blocks.hiddenFrom(userId);
    const visibleIds = [...people].filter((id) => !hidden.has(id));
    for (const { _id: id, username } of await Profiles.find(
      { _id: { $in: visibleIds } },
      { username: 1 },
    ).lean())
      list.push({ id, username });
    list.end();
    for await (const { _id, data } of Pictures.find({ userId }).cursor()) {
      zip.add(`pictures/${_id}`, data);
      await flush();
    }
    for (let photo = photos.pop(); photo; photo = photos.pop()) {
      await saveProgress();
      try {
        const data = await photoOf(photo, token);
        if (data) zip.add(`photos/${photo.name}.webp`, data);
      } catch (error) {
        // Many photos are as many requests of the user.
        if (!(error instanceof CallError && error.status === 429)) throw error;
        photos.push(photo);
        await clock.sleep(rateLimitPauseMs, stopping.signal);
      }
      await flush();
    }
    zip.end();
    await flush();
    if (buffer.length) await store(buffer);
    return size;
  };

  /** The end of an archive that could not be made: its owner is told, and may request another one today. */
  const fail = async ({ _id: userId, run }: Pick<ArchiveJob, '_id' | 'run'>): Promise<void> => {
    const event = newEvent('archive.failed.v1', { userId }, clock);
    const { matchedCount } = await Archives.updateOne(
      { _id: userId, run, state: 'preparing' },
      withEvents({ $set: { state: 'failed' } }, [event], clock),
    );
    await deleteParts(run);
    // Deleted, or claimed again, meanwhile.
    if (!matchedCount) return;
    outbox.send(userId);
    await limiter.refund(String(userId));
  };

  const failAbandoned = async (): Promise<void> => {
    try {
      const abandoned = { state: 'preparing', leaseUntil: { $lt: new Date(clock.now()) } } as const;
      const found = await Archives.find(abandoned, { run: 1 }).limit(maxAbandoned).lean();
      for (const archive of found) await fail(archive);
    } catch (error) {
      logger.warn({ err: error }, 'could not end archives of an instance that crashed');
    }
  };

  const renewLease = ({ _id, run }: ArchiveJob) =>
    Archives.updateOne(
      { _id, run, state: 'preparing' },
      { $set: { leaseUntil: new Date(clock.now() + leaseMs) } },
    ).catch((error: unknown) =>
      logger.warn({ err: error, userId: _id }, 'could not renew the lease of an archive'),
    );

  const work = async (archive: ArchiveJob, token: string): Promise<void> => {
    const { _id: userId, run, expiresAt } = archive;
    const ownRun = { _id: userId, run };
    try {
      await Parts.deleteMany({ userId });
      const size = await collect(archive, token);
      const readyUpdate = { $set: { state: 'ready', size, readyAt: new Date(clock.now()) } };
      const readyEvent = newEvent('archive.ready.v1', { userId, until: expiresAt.toISOString() }, clock);
      const { matchedCount } = await Archives.updateOne(ownRun, withEvents(readyUpdate, [readyEvent], clock));
      if (matchedCount) outbox.send(userId);
      // The user was deleted meanwhile.
      else await deleteParts(run);
    } catch (error) {
      logger.warn({ err: error, userId }, 'could not create an archive');
      await fail(archive);
    }
  };

  return {
    of: async (userId: number) => present(await Archives.findById(userId).lean()),

    async start(
      { id: userId, token }: Caller,
      idempotency: Idempotency | undefined,
    ): Promise<z.input<typeof Archive>> {
      const archive = await Archives.findById(userId).lean();
      const current = present(archive);
      const isRepeated = !!idempotency && archive?.idempotencyKey === idempotency.key;
      if (current.state === 'preparing' || (current.state === 'ready' && isRepeated)) return current;
      if (archiveQueue.pendingCount >= maxQueued)
        throw new Problem('service-unavailable', { retryAfterSeconds: 30 });
      await limiter.count(String(userId));
      const claimed = await claim(userId, idempotency?.key ?? null);
      if (claimed) {
        // Also while it waits, or a page takes long.
        const renewing = { everyMs: leaseMs / 3, clock, renew: () => renewLease(claimed) };
        const working = whileRenewing(renewing, () => archiveQueue(() => work(claimed, token)))
          .catch((error) => logger.warn({ err: error, userId }, 'could not release an archive'))
          .finally(() => runningJobs.delete(working));
        runningJobs.add(working);
      }
      // Another call has it.
      else await limiter.refund(String(userId));
      return { state: 'preparing' };
    },

    openFile: async (userId) => fileOf(await findReady(userId)),

    async makeAddress(userId) {
      const { run, expiresAt } = await findReady(userId);
      const key = randomBytes(32).toString('base64url');
      const until = new Date(Math.min(clock.now() + archiveAddressSeconds * 1_000, expiresAt.getTime()));
      const address = { keyHash: hashOf(key), until };
      const { matchedCount } = await Archives.updateOne({ _id: userId, run }, { $set: { address } });
      if (!matchedCount) throw new Problem('not-found');
      const url = operationUrl(operations.downloadArchiveByAddress, {
        params: { id: userId },
        query: { key },
      });
      return { url, until: until.toISOString() };
    },

    async openAddress(userId, key) {
      const archive = await findReady(userId);
      const { address } = archive;
      if (address?.keyHash !== hashOf(key) || address.until.getTime() <= clock.now())
        throw new Problem('not-found');
      return fileOf(archive);
    },

    async erase(userId: number): Promise<void> {
      const archivesNamingUser = await Archives.find({ people: userId }, { _id: 1 }).lean();
      const owners = [userId, ...archivesNamingUser.map(({ _id }) => _id)];
      await Archives.deleteMany({ _id: { $in: owners } });
      await Parts.deleteMany({ userId: { $in: owners } });
    },

    startTask(): void {
      task = startPeriodicTask(abandonedEveryMs, failAbandoned, { clock });
    },

    async stop(): Promise<void> {
      await task?.stop();
      stopping.abort(new Error('the service stops'));
      await Promise.all(runningJobs);
    },
  };
}

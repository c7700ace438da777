import {
  type ChallengeLine,
  dayIn,
  type Event,
  mostForVisitors,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { newEvent, withEvents } from '@wayquest/platform/bus';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { BlockReplica, ChallengeReplica, UserReplica, Word } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { lineKey, lineModel } from './line.model.ts';
import { presentLine, type StoredLine, withoutPlace, withoutTimes } from './line.presenter.ts';
import { requireOpen } from './schedule.ts';

type LineQuery = OperationRequest<Operations['listLines']>['query'];
type CompletionQuery = OperationRequest<Operations['listCompletions']>['query'];

/** How many are answered when nobody says. */
export const defaultLimit = 500;

/** As many of what others completed. */
const defaultCompletions = 20;

const keyOf = ({ _id, challengeId, userId }: StoredLine) => ({ lineId: _id, challengeId, userId });

/** The operations on challenge lines, in the words of the domain. */
export function createParticipation({
  kit: { connection, ids, outboxes },
  challengeReplica,
  userReplica,
  blocks,
  countCompleted,
}: {
  kit: ServiceKit;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  blocks: BlockReplica;
  /** Counts one more that somebody completes. Throws `too-many-requests`. */
  countCompleted: (userId: number) => Promise<void>;
}) {
  const Lines = lineModel(connection);
  const outbox = outboxes.of(Lines);

  /** Lines with what they nest; one whose challenge is being deleted is no longer shown. */
  const present = async (lines: StoredLine[]): Promise<ChallengeLine[]> => {
    const [challenges, users] = await Promise.all([
      challengeReplica.byIds([...new Set(lines.map(({ challengeId }) => challengeId))]),
      userReplica.byIds(lines.map(({ userId }) => userId)),
    ]);
    return lines.flatMap((line) => {
      const challenge = challenges.get(line.challengeId);
      const user = users.get(line.userId);
      return challenge && user ? [presentLine(line, { challenge, user })] : [];
    });
  };

  const presentOne = async (line: StoredLine): Promise<ChallengeLine> => {
    const [presented] = await present([line]);
    if (!presented) throw new Problem('challenge-not-found');
    return presented;
  };

  /** Throws `line-not-found`. */
  const find = async (id: number): Promise<StoredLine> => {
    const line = await Lines.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
    if (!line) throw new Problem('line-not-found');
    return line;
  };

  const remove = async (line: StoredLine): Promise<void> => {
    const left = [newEvent('challenge.left.v1', keyOf(line))];
    const found = await Lines.findOneAndUpdate(
      { _id: line._id, deletedAt: null },
      withEvents({ $set: { deletedAt: new Date() }, $unset: { key: 1 } }, left),
    ).lean();
    if (found) outbox.send(line._id);
  };

  const insert = async (caller: Caller, challengeId: number): Promise<StoredLine | undefined> => {
    const line = {
      _id: await ids.next('line'),
      key: lineKey(caller.id, challengeId),
      userId: caller.id,
      challengeId,
      completed: false,
      joinedAt: new Date(),
    };
    const joined = [newEvent('challenge.joined.v1', keyOf(line))];
    try {
      await outbox.create(line, joined);
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    return line;
  };

  /** Nobody is known any more for what was completed before lines kept it, once the challenge is gone. */
  const creatorOf = async ({ creatorId, challengeId }: StoredLine): Promise<number | undefined> =>
    creatorId || (await challengeReplica.findIfThere(challengeId))?.creator.id;

  const completionOf = async (line: StoredLine): Promise<Event[]> => {
    const { completedAt, points } = line;
    if (!line.completed || !completedAt || !points) return [];
    const creatorId = await creatorOf(line);
    if (!creatorId) return [];
    const completion = { ...keyOf(line), points, creatorId, completedAt: completedAt.toISOString() };
    return [newEvent('challenge.completed.v1', completion)];
  };

  /** Somebody without an account pages through so many participants only. Throws `unauthenticated`. */
  const requireNear = async (challengeId: number, cursor: number): Promise<void> => {
    const before = { challengeId, _id: { $lte: cursor }, deletedAt: null };
    if ((await Lines.countDocuments(before, { limit: mostForVisitors })) < mostForVisitors) return;
    throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
  };

  return {
    find,

    /** The caller's lines, newest first; or those of one challenge, the first to join first. */
    async list(
      { challengeId, userId, ids: people, completed, cursor, limit = defaultLimit }: LineQuery,
      caller: Caller | undefined,
    ): Promise<ChallengeLine[]> {
      if (!challengeId && !caller) throw new Problem('unauthenticated');
      const from = Number(cursor) || 0;
      const hidden = challengeId ? [...(await blocks.hiddenFrom(caller?.id))] : [];
      const ofWhom = { ...(userId && { $eq: userId }), ...(hidden.length && { $nin: hidden }) };
      const whose = challengeId
        ? {
            challengeId,
            ...(Object.keys(ofWhom).length && { userId: ofWhom }),
            // However many take part, so many are looked up.
            ...(people && { key: { $in: people.map((id) => lineKey(id, challengeId)) } }),
          }
        : { userId: caller?.id };
      if (challengeId && cursor && !caller) await requireNear(challengeId, from);
      const page = cursor ? { _id: challengeId ? { $gt: from } : { $lt: from } } : {};
      const which = completed === undefined ? {} : { completed };
      const lines = await Lines.find({ ...whose, ...which, ...page, deletedAt: null }, { outbox: 0 })
        .sort({ _id: challengeId ? 1 : -1 })
        .limit(limit)
        .lean();
      const presented = await present(lines);
      return caller ? presented : presented.map(withoutTimes);
    },

    /** What these people completed last, the newest first. */
    async latestOf(
      { ids, limit = defaultCompletions }: CompletionQuery,
      caller: Caller,
    ): Promise<ChallengeLine[]> {
      const hidden = await blocks.hiddenFrom(caller.id);
      const done = { userId: { $in: ids.filter((id) => !hidden.has(id)) }, completed: true, deletedAt: null };
      const lines = await Lines.find(done, { outbox: 0 }).sort({ completedAt: -1 }).limit(limit).lean();
      return (await present(lines)).map(withoutPlace);
    },

    /** Answers the line there is when the caller joined before. Throws `challenge-not-found`. */
    async join(challengeId: number, caller: Caller): Promise<{ line: ChallengeLine; isNew: boolean }> {
      await challengeReplica.find(challengeId);
      await userReplica.meet(caller);
      for (;;) {
        const inserted = await insert(caller, challengeId);
        if (inserted) {
          // Deleted meanwhile: its lines may have been removed before this one was there.
          if (await challengeReplica.isDeleted(challengeId)) {
            await remove(inserted);
            throw new Problem('challenge-not-found');
          }
          return { line: await presentOne(inserted), isNew: true };
        }
        const existing = await Lines.findOne({ key: lineKey(caller.id, challengeId) }, { outbox: 0 }).lean();
        if (existing) return { line: await presentOne(existing), isNew: false };
      }
    },

    /**
     * Completes a line, within the challenge's days; once more answers the same. Throws `line-not-found`,
     * `not-started`, `already-ended`, `already-completed` for an attempt to undo it, and `too-many-requests`.
     */
    async setCompleted(line: StoredLine, completed: boolean): Promise<ChallengeLine> {
      if (line.completed && !completed) throw new Problem('already-completed');
      if (line.completed || !completed) return presentOne(line);

      const challenge = await challengeReplica.find(line.challengeId);
      const completedAt = new Date();
      requireOpen(challenge, completedAt);
      await countCompleted(line.userId);
      const { points, creator } = challenge;
      const day = dayIn(challenge.timeZone, completedAt);
      const done = [
        newEvent('challenge.completed.v1', {
          ...keyOf(line),
          points,
          creatorId: creator.id,
          completedAt: completedAt.toISOString(),
        }),
      ];
      const after = await Lines.findOneAndUpdate(
        { _id: line._id, completed: false, deletedAt: null },
        withEvents({ $set: { completed: true, completedAt, day, points, creatorId: creator.id } }, done),
        { returnDocument: 'after', projection: { outbox: 0 } },
      ).lean();
      if (after) outbox.send(line._id);
      return presentOne(after ?? (await find(line._id)));
    },

    /** Who takes part in what now, and what they completed. */
    async *retell(after: number) {
      const all = Lines.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({ _id: 1 });
      for await (const line of all.lean().cursor()) {
        const joined = newEvent('challenge.joined.v1', keyOf(line));
        yield { id: line._id, events: [joined, ...(await completionOf(line))] };
      }
    },

    leave: remove,

    /** A deleted challenge takes its lines along; one with an event still to send goes when that is out. */
    async removeAll(deletion: Word<'challenge.deleted.v1'>): Promise<void> {
      const { challengeId } = deletion.data;
      await challengeReplica.keepDeleted(deletion);
      await Lines.updateMany(
        { challengeId, deletedAt: null },
        { $set: { deletedAt: new Date() }, $unset: { key: 1 } },
      );
      await Lines.deleteMany({ challengeId, outbox: { $size: 0 } });
    },
  };
}

export type ParticipationOperations = ReturnType<typeof createParticipation>;

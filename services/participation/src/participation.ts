import type { ChallengeLine, OperationRequest, Operations } from '@wayquest/contracts';
import {
  type Caller,
  isDuplicateKey,
  newEvent,
  outboxOf,
  Problem,
  type ServiceKit,
  type UserReplica,
  withEvents,
} from '@wayquest/platform';
import type { ChallengeReplica } from './challenge-replica.ts';
import { type LineDocument, lineKey, lineModel } from './line.model.ts';
import { canComplete, canRemove } from './policies.ts';
import { requireOpen } from './schedule.ts';

type LineQuery = OperationRequest<Operations['listLines']>['query'];
type StoredLine = Omit<LineDocument, 'outbox'>;

/** How many are answered when nobody says. */
export const defaultLimit = 500;

const keyOf = ({ _id, challengeId, userId }: StoredLine) => ({ lineId: _id, challengeId, userId });

/** The operations on challenge lines, in the words of the domain. */
export function createParticipation(
  { connection, ids, outbox }: ServiceKit,
  challengeReplica: ChallengeReplica,
  userReplica: UserReplica,
) {
  const Lines = lineModel(connection);

  /** Lines with what they nest; one whose challenge is being deleted is no longer shown. */
  const present = async (lines: StoredLine[]): Promise<ChallengeLine[]> => {
    const [challenges, users] = await Promise.all([
      challengeReplica.byIds([...new Set(lines.map(({ challengeId }) => challengeId))]),
      userReplica.byIds(lines.map(({ userId }) => userId)),
    ]);
    return lines.flatMap((line) => {
      const challenge = challenges.get(line.challengeId);
      const user = users.get(line.userId);
      if (!challenge || !user) return [];
      const presented: ChallengeLine = {
        id: line._id,
        userId: line.userId,
        challengeId: line.challengeId,
        completed: line.completed,
        points: line.points ?? challenge.points,
        joinedAt: line.joinedAt.toISOString(),
        completedAt: line.completedAt?.toISOString() ?? null,
        challenge,
        user,
      };
      return [presented];
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
    if (found) outbox.send(Lines, line._id, left);
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
      await Lines.create({ ...line, ...outboxOf(joined) });
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    outbox.send(Lines, line._id, joined);
    return line;
  };

  return {
    /** The caller's lines, newest first; or those of one challenge, the first to join first. */
    async list(
      { challengeId, userId, cursor, limit = defaultLimit }: LineQuery,
      caller: Caller | undefined,
    ): Promise<ChallengeLine[]> {
      if (!challengeId && !caller) throw new Problem('unauthenticated');
      const from = Number(cursor) || 0;
      const whose = challengeId ? { challengeId, ...(userId && { userId }) } : { userId: caller?.id };
      const page = cursor ? { _id: challengeId ? { $gt: from } : { $lt: from } } : {};
      const lines = await Lines.find({ ...whose, ...page, deletedAt: null }, { outbox: 0 })
        .sort({ _id: challengeId ? 1 : -1 })
        .limit(limit)
        .lean();
      return present(lines);
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
     * `forbidden`, `not-started`, `already-ended`, and `already-completed` for an attempt to undo it.
     */
    async setCompleted(id: number, completed: boolean, caller: Caller): Promise<ChallengeLine> {
      const line = await find(id);
      if (!canComplete(caller, line)) throw new Problem('forbidden');
      if (line.completed && !completed) throw new Problem('already-completed');
      if (line.completed || !completed) return presentOne(line);

      const challenge = await challengeReplica.find(line.challengeId);
      const completedAt = new Date();
      requireOpen(challenge, completedAt);
      const { points, creator } = challenge;
      const done = [
        newEvent('challenge.completed.v1', {
          ...keyOf(line),
          points,
          creatorId: creator.id,
          completedAt: completedAt.toISOString(),
        }),
      ];
      const after = await Lines.findOneAndUpdate(
        { _id: id, completed: false, deletedAt: null },
        withEvents({ $set: { completed: true, completedAt, points } }, done),
        { returnDocument: 'after', projection: { outbox: 0 } },
      ).lean();
      if (after) outbox.send(Lines, id, done);
      return presentOne(after ?? (await find(id)));
    },

    /** Who takes part in what now. */
    async *retell() {
      for await (const line of Lines.find({ deletedAt: null }, { outbox: 0 }).lean().cursor()) {
        yield newEvent('challenge.joined.v1', keyOf(line));
      }
    },

    /** Throws `line-not-found` and `forbidden`. */
    async leave(id: number, caller: Caller): Promise<void> {
      const line = await find(id);
      if (!canRemove(caller, line)) throw new Problem('forbidden');
      await remove(line);
    },

    /** A deleted challenge takes its lines along; one with an event still to send goes when that is out. */
    async removeAll(challengeId: number): Promise<void> {
      await challengeReplica.keepDeleted(challengeId);
      await Lines.updateMany(
        { challengeId, deletedAt: null },
        { $set: { deletedAt: new Date() }, $unset: { key: 1 } },
      );
      await Lines.deleteMany({ challengeId, outbox: { $size: 0 } });
    },
  };
}

export type ParticipationOperations = ReturnType<typeof createParticipation>;

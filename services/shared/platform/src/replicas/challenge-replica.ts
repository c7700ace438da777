import { CallError, type ChallengeDetails, type Client, deletedUsername } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';
import { isProblem, Problem } from '../core/problem.ts';
import { createErasedUsers } from '../erasure/erased-users.ts';
import { isDuplicateKey } from '../store/store-errors.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';

/** A challenge as of its latest event. */
interface ChallengeReplicaDocument extends WithLastEventAt {
  _id: number;
  version: number;
  /** Absent in the tombstone of a deleted challenge, except in those of older versions. */
  details?: ChallengeDetails | null;
  deleted: boolean;
}

const schema = new Schema<ChallengeReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  details: Schema.Types.Mixed,
  deleted: { type: Boolean, required: true },
  lastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ 'details.creator.id': 1 });

/** Replica of challenges, fed by the events of the challenges service. */
export interface ChallengeReplica {
  apply(event: ReplicaEvent<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void>;
  applyDeleted(event: ReplicaEvent<'challenge.deleted.v1'>): Promise<void>;
  /** Removes a deleted user's name as creator. */
  erase(userId: number): Promise<void>;
  /**
   * Deletes rows without an event since a time. Participations are hidden, but not deleted: the challenge's event may
   * arrive late.
   */
  pruneStale(since: Date): Promise<void>;
  /** Throws `challenge-not-found`. Calls the challenges service if the event has not arrived yet. */
  find(id: number): Promise<ChallengeDetails>;
  /** As `find`, but returns undefined if it does not exist. */
  findOrUndefined(id: number): Promise<ChallengeDetails | undefined>;
  /** The latest state with its version; undefined once deleted. */
  get(id: number): Promise<{ details: ChallengeDetails; version: number } | undefined>;
  isDeleted(challengeId: number): Promise<boolean>;
  byIds(ids: number[]): Promise<Map<number, ChallengeDetails>>;
}

/**
 * Creates the replica in a service's database.
 *
 * @param challengesClient - Called for a challenge whose event has not arrived yet.
 */
export function createChallengeReplica(
  connection: Connection,
  challengesClient: Client,
  clock: Clock = systemClock,
): ChallengeReplica {
  const Challenges = connection.model<ChallengeReplicaDocument>('ChallengeReplica', schema, 'challenges');
  const erasedUsers = createErasedUsers(connection);

  const advance = async (details: ChallengeDetails, version: number, at: Date): Promise<void> => {
    try {
      await Challenges.updateOne(
        { _id: details.id, version: { $lt: version }, deleted: false },
        { $set: { details, version }, $max: { lastEventAt: at } },
        { upsert: true },
      );
    } catch (error) {
      // The row is newer, or a tombstone: it stays.
      if (!isDuplicateKey(error)) throw error;
    }
  };

  const fetchChallenge = async (id: number): Promise<ChallengeDetails> => {
    try {
      const {
        participants: _,
        can: __,
        ...details
      } = await challengesClient.getChallenge({ params: { id } });
      return details;
    } catch (error) {
      if (error instanceof CallError && error.status === 404)
        throw new Problem('challenge-not-found', { cause: error });
      throw new Problem('service-unavailable', { cause: error });
    }
  };

  const erase = async (userId: number): Promise<void> => {
    const createdByUser = {
      'details.creator.id': userId,
      'details.creator.username': { $ne: deletedUsername },
    };
    await Challenges.updateMany(createdByUser, { $set: { 'details.creator.username': deletedUsername } });
  };

  const find = async (id: number): Promise<ChallengeDetails> => {
    const replica = await Challenges.findById(id).lean();
    if (replica?.deleted) throw new Problem('challenge-not-found');
    if (replica?.details) return replica.details;
    const details = await fetchChallenge(id);
    await advance(details, 1, new Date(clock.now()));
    // The creator may have been erased meanwhile.
    const { creator } = details;
    if (!(await erasedUsers.has(creator.id))) return details;
    await erase(creator.id);
    return { ...details, creator: { ...creator, username: deletedUsername } };
  };

  return {
    async apply(event: ReplicaEvent<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void> {
      const { challenge: details, version } = event.data;
      if (event.replayed) {
        const { matchedCount } = await Challenges.updateOne(
          { _id: details.id, ...staleSince(event.replayed) },
          { $set: { details, version, deleted: false, lastEventAt: lastEventAt(event) } },
        );
        if (matchedCount) return;
      }
      await advance(details, version, lastEventAt(event));
    },

    async applyDeleted(event: ReplicaEvent<'challenge.deleted.v1'>): Promise<void> {
      await Challenges.updateOne(
        { _id: event.data.challengeId },
        {
          $set: { deleted: true },
          $unset: { details: 1 },
          $max: { lastEventAt: lastEventAt(event) },
          $setOnInsert: { version: 1 },
        },
        { upsert: true },
      );
    },

    erase,

    async pruneStale(since: Date): Promise<void> {
      await Challenges.deleteMany(staleSince(since), scanById);
    },

    find,

    async findOrUndefined(id: number): Promise<ChallengeDetails | undefined> {
      try {
        return await find(id);
      } catch (error) {
        if (isProblem(error, 'challenge-not-found')) return undefined;
        throw error;
      }
    },

    async get(id: number): Promise<{ details: ChallengeDetails; version: number } | undefined> {
      const replica = await Challenges.findOne({ _id: id, deleted: false }).lean();
      return replica?.details ? { details: replica.details, version: replica.version } : undefined;
    },

    async isDeleted(challengeId: number): Promise<boolean> {
      return (await Challenges.exists({ _id: challengeId, deleted: true })) !== null;
    },

    async byIds(ids: number[]): Promise<Map<number, ChallengeDetails>> {
      const replicas = await Challenges.find({ _id: { $in: ids }, deleted: false }).lean();
      return new Map(replicas.flatMap(({ _id, details }) => (details ? [[_id, details] as const] : [])));
    },
  };
}

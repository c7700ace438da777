import {
  CallError,
  type ChallengeDetails,
  type Client,
  type EventData,
  generatedAvatar,
  type PublicUser,
} from '@wayquest/contracts';
import { type Caller, isDuplicateKey, Problem, type ServiceKit } from '@wayquest/platform';
import { challengeReplicaModel } from './challenge-replica.model.ts';
import { type UserReplicaDocument, userReplicaModel } from './user-replica.model.ts';

const presentUser = ({ _id, profile, points }: UserReplicaDocument): PublicUser => ({
  id: _id,
  ...profile,
  points,
});

/** What participation keeps of challenges and people, so that a line answers without asking anyone. */
export function createReplicas({ connection }: Pick<ServiceKit, 'connection'>, challengesClient: Client) {
  const Challenges = challengeReplicaModel(connection);
  const Users = userReplicaModel(connection);

  const keepChallenge = async (details: ChallengeDetails, version: number): Promise<void> => {
    try {
      await Challenges.updateOne(
        { _id: details.id, version: { $lt: version }, deleted: false },
        { $set: { details, version } },
        { upsert: true },
      );
    } catch (error) {
      // The id is there with a newer version, or deleted: that state stays.
      if (!isDuplicateKey(error)) throw error;
    }
  };

  const challengeFromItsService = async (id: number): Promise<ChallengeDetails> => {
    try {
      const { participants: _, ...details } = await challengesClient.getChallenge({ params: { id } });
      return details;
    } catch (error) {
      if (error instanceof CallError && error.status === 404)
        throw new Problem('challenge-not-found', { cause: error });
      throw new Problem('service-unavailable', { cause: error });
    }
  };

  return {
    keepChallenge,

    async keepChallengeDeleted(challengeId: number): Promise<void> {
      await Challenges.updateOne(
        { _id: challengeId },
        { $set: { deleted: true }, $setOnInsert: { version: 1 } },
        { upsert: true },
      );
    },

    /** Throws `challenge-not-found`. One that its event has not brought yet is fetched from its service. */
    async challenge(id: number): Promise<ChallengeDetails> {
      const replica = await Challenges.findById(id).lean();
      if (replica?.deleted) throw new Problem('challenge-not-found');
      if (replica?.details) return replica.details;
      const details = await challengeFromItsService(id);
      await keepChallenge(details, 1);
      return details;
    },

    async isDeleted(challengeId: number): Promise<boolean> {
      return (await Challenges.exists({ _id: challengeId, deleted: true })) !== null;
    },

    async challenges(ids: number[]): Promise<Map<number, ChallengeDetails>> {
      const replicas = await Challenges.find({ _id: { $in: ids }, deleted: false }).lean();
      return new Map(replicas.flatMap(({ _id, details }) => (details ? [[_id, details] as const] : [])));
    },

    async users(ids: number[]): Promise<Map<number, PublicUser>> {
      const replicas = await Users.find({ _id: { $in: ids } }).lean();
      return new Map(replicas.map((replica) => [replica._id, presentUser(replica)]));
    },

    /** Makes sure that a caller can be shown, also before the event of their signup is here. */
    async meet({ id, username }: Caller): Promise<void> {
      const profile = {
        username,
        firstName: '',
        lastName: '',
        city: '',
        state: '',
        avatar: generatedAvatar(id),
      };
      await Users.updateOne(
        { _id: id },
        { $setOnInsert: { version: 0, profile, points: 0 } },
        { upsert: true },
      );
    },

    async keepUser({
      user: { id, points, ...profile },
      version,
    }: EventData<'user.profile-changed.v1'>): Promise<void> {
      await Users.updateOne(
        { _id: id },
        { $setOnInsert: { version, profile }, $max: { points } },
        { upsert: true },
      );
      await Users.updateOne({ _id: id, version: { $lt: version } }, { $set: { version, profile } });
    },

    /** Points only grow, so the greatest total is the newest. Someone not met yet comes with their profile. */
    async keepPoints(userId: number, points: number): Promise<void> {
      await Users.updateOne({ _id: userId }, { $max: { points } });
    },
  };
}

export type Replicas = ReturnType<typeof createReplicas>;

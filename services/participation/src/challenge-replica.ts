import { CallError, type ChallengeDetails, type Client } from '@wayquest/contracts';
import { isDuplicateKey, Problem, type ServiceKit } from '@wayquest/platform';
import { challengeReplicaModel } from './challenge-replica.model.ts';

/** What participation keeps of challenges, so that a line answers without asking anyone. */
export function createChallengeReplica(
  { connection }: Pick<ServiceKit, 'connection'>,
  challengesClient: Client,
) {
  const Challenges = challengeReplicaModel(connection);

  const keep = async (details: ChallengeDetails, version: number): Promise<void> => {
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
    keep,

    async keepDeleted(challengeId: number): Promise<void> {
      await Challenges.updateOne(
        { _id: challengeId },
        { $set: { deleted: true }, $setOnInsert: { version: 1 } },
        { upsert: true },
      );
    },

    /** Throws `challenge-not-found`. One that its event has not brought yet is fetched from its service. */
    async find(id: number): Promise<ChallengeDetails> {
      const replica = await Challenges.findById(id).lean();
      if (replica?.deleted) throw new Problem('challenge-not-found');
      if (replica?.details) return replica.details;
      const details = await challengeFromItsService(id);
      await keep(details, 1);
      return details;
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

export type ChallengeReplica = ReturnType<typeof createChallengeReplica>;

import { CallError, type ChallengeDetails, type Client } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/http';
import { heardAt, notHeardSince, throughAll, type Word } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { challengeReplicaModel } from './challenge-replica.model.ts';

/** What participation keeps of challenges, so that a line answers without asking anyone. */
export function createChallengeReplica(
  { connection }: Pick<ServiceKit, 'connection'>,
  challengesClient: Client,
) {
  const Challenges = challengeReplicaModel(connection);

  const advance = async (details: ChallengeDetails, version: number, heardAt: Date): Promise<void> => {
    try {
      await Challenges.updateOne(
        { _id: details.id, version: { $lt: version }, deleted: false },
        { $set: { details, version }, $max: { heardAt } },
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
    async keep(word: Word<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void> {
      const { challenge: details, version } = word.data;
      if (word.replayed) {
        const { matchedCount } = await Challenges.updateOne(
          { _id: details.id, ...notHeardSince(word.replayed) },
          { $set: { details, version, deleted: false, heardAt: heardAt(word) } },
        );
        if (matchedCount) return;
      }
      await advance(details, version, heardAt(word));
    },

    async keepDeleted(word: Word<'challenge.deleted.v1'>): Promise<void> {
      await Challenges.updateOne(
        { _id: word.data.challengeId },
        { $set: { deleted: true }, $max: { heardAt: heardAt(word) }, $setOnInsert: { version: 1 } },
        { upsert: true },
      );
    },

    /**
     * Takes out what nothing was heard of since a moment. Lines of it are not shown any more, but kept: an event that tells
     * of it may be late.
     */
    async forget(since: Date): Promise<void> {
      await Challenges.deleteMany(notHeardSince(since), throughAll);
    },

    /** Throws `challenge-not-found`. One that its event has not brought yet is fetched from its service. */
    async find(id: number): Promise<ChallengeDetails> {
      const replica = await Challenges.findById(id).lean();
      if (replica?.deleted) throw new Problem('challenge-not-found');
      if (replica?.details) return replica.details;
      const details = await challengeFromItsService(id);
      await advance(details, 1, new Date());
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

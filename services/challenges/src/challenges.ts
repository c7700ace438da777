import tzLookup from '@photostructure/tz-lookup';
import { type Challenge, type NewChallenge, pointsByDifficulty } from '@wayquest/contracts';
import { type Caller, newEvent, outboxOf, Problem, type ServiceKit, withEvents } from '@wayquest/platform';
import { challengeModel } from './challenge.model.ts';
import { presentChallenge, presentDetails } from './challenge.presenter.ts';
import { creatorModel } from './creator.model.ts';
import { homeTimeZone } from './filters.ts';
import { membershipModel } from './membership.model.ts';
import { finestLevel, tileAt } from './tiles.ts';

type Membership = { lineId: number; challengeId: number; userId: number };

/** The operations on challenges, in the words of the domain. */
export function createChallenges({ connection, ids, outbox }: ServiceKit) {
  const Challenges = challengeModel(connection);
  const Memberships = membershipModel(connection);
  const Creators = creatorModel(connection);

  /** Keeps how many take part in step with the memberships; who writes last has counted last. */
  const recount = async (challengeId: number): Promise<void> => {
    for (;;) {
      const participants = await Memberships.countDocuments({ challengeId, left: false });
      const { modifiedCount } = await Challenges.updateOne(
        { _id: challengeId, participants: { $ne: participants } },
        { $set: { participants } },
      );
      if (!modifiedCount) return;
    }
  };

  return {
    /** Throws `challenge-not-found`. */
    async get(id: number): Promise<Challenge> {
      const challenge = await Challenges.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
      if (!challenge) throw new Problem('challenge-not-found');
      return presentChallenge(challenge);
    },

    /** Whatever the body says of a creator, it is the caller. */
    async create({ position, points, ...fields }: NewChallenge, caller: Caller): Promise<Challenge> {
      const creator = await Creators.findById(caller.id).lean();
      const challenge = {
        ...fields,
        _id: await ids.next('challenge'),
        version: 1,
        points: points ?? pointsByDifficulty[fields.difficulty],
        timeZone: position ? tzLookup(position.lat, position.lng) : homeTimeZone,
        ...(position && {
          location: { type: 'Point' as const, coordinates: [position.lng, position.lat] as [number, number] },
          cell: tileAt(position, finestLevel),
        }),
        creator: { id: caller.id, username: creator?.username ?? caller.username },
        participants: 0,
        createdAt: new Date(),
      };
      const created = [
        newEvent('challenge.created.v1', { challenge: presentDetails(challenge), version: 1 }),
      ];
      await Challenges.create({ ...challenge, ...outboxOf(created) });
      outbox.send(Challenges, challenge._id, created);
      return presentChallenge(challenge);
    },

    /** Throws `challenge-not-found`. Its lines go by the event. */
    async delete(id: number): Promise<void> {
      const deleted = [newEvent('challenge.deleted.v1', { challengeId: id })];
      const found = await Challenges.findOneAndUpdate(
        { _id: id, deletedAt: null },
        withEvents({ $set: { deletedAt: new Date() } }, deleted),
      ).lean();
      if (!found) throw new Problem('challenge-not-found');
      outbox.send(Challenges, id, deleted);
      await Memberships.deleteMany({ challengeId: id });
    },

    /** All challenges as they are now. */
    async *retell() {
      const all = Challenges.find({ deletedAt: null }, { outbox: 0 }).lean().cursor();
      for await (const challenge of all) {
        const { version } = challenge;
        yield newEvent('challenge.updated.v1', { challenge: presentDetails(challenge), version });
      }
    },

    async keepJoined({ lineId, challengeId, userId }: Membership): Promise<void> {
      await Memberships.updateOne(
        { _id: lineId },
        { $setOnInsert: { challengeId, userId, left: false } },
        { upsert: true },
      );
      await recount(challengeId);
    },

    async keepLeft({ lineId, challengeId, userId }: Membership): Promise<void> {
      await Memberships.updateOne(
        { _id: lineId },
        { $set: { challengeId, userId, left: true } },
        { upsert: true },
      );
      await recount(challengeId);
    },

    /** Shows a person's challenges under the name they go by now. */
    async renameCreator(userId: number, username: string, version: number): Promise<void> {
      await Creators.updateOne({ _id: userId }, { $setOnInsert: { username, version } }, { upsert: true });
      await Creators.updateOne({ _id: userId, version: { $lt: version } }, { $set: { username, version } });
      const current = await Creators.findById(userId).lean();
      if (current?.version !== version) return;
      const outdated = { 'creator.id': userId, 'creator.username': { $ne: username }, deletedAt: null };
      for (;;) {
        const challenge = await Challenges.findOne(outdated, { outbox: 0 }).lean();
        if (!challenge) return;
        const renamed = { ...challenge, creator: { id: userId, username } };
        const next = challenge.version + 1;
        const updated = [
          newEvent('challenge.updated.v1', { challenge: presentDetails(renamed), version: next }),
        ];
        const { modifiedCount } = await Challenges.updateOne(
          { _id: challenge._id, version: challenge.version },
          withEvents({ $set: { 'creator.username': username, version: next } }, updated),
        );
        if (modifiedCount) outbox.send(Challenges, challenge._id, updated);
      }
    },
  };
}

export type ChallengeOperations = ReturnType<typeof createChallenges>;

import tzLookup from '@photostructure/tz-lookup';
import {
  type Challenge,
  type NewChallenge,
  type OperationRequest,
  type Operations,
  pointsByDifficulty,
} from '@wayquest/contracts';
import { type Caller, newEvent, outboxOf, Problem, type ServiceKit, withEvents } from '@wayquest/platform';
import escapeRegExp from 'escape-string-regexp';
import type { QueryFilter } from 'mongoose';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { presentChallenge, presentDetails } from './challenge.presenter.ts';
import { creatorModel } from './creator.model.ts';
import { membershipModel } from './membership.model.ts';

type ChallengeQuery = OperationRequest<Operations['listChallenges']>['query'];
type Membership = { lineId: number; challengeId: number; userId: number };

/** Where the map starts (spec, section 9): the zone of a challenge whose place is not known. */
const homeTimeZone = 'America/New_York';

/** How many are answered when nobody says. */
export const defaultLimit = 500;

const defaultRadius = 5_000;

/** The operations on challenges, in the words of the domain. */
export function createChallenges({ connection, ids, outbox }: ServiceKit) {
  const Challenges = challengeModel(connection);
  const Memberships = membershipModel(connection);
  const Creators = creatorModel(connection);

  /** Those the person made or takes part in. */
  const ofPerson = async (userId: number): Promise<QueryFilter<ChallengeDocument>> => {
    const joined = await Memberships.find({ userId, left: false }, { challengeId: 1 }).lean();
    return {
      $or: [{ 'creator.id': userId }, { _id: { $in: joined.map(({ challengeId }) => challengeId) } }],
    };
  };

  const matching = (text: string): QueryFilter<ChallengeDocument> => {
    const pattern = new RegExp(escapeRegExp(text), 'i');
    return { $or: [{ name: pattern }, { locationName: pattern }, { city: pattern }] };
  };

  const inside = ({
    west,
    south,
    east,
    north,
  }: NonNullable<ChallengeQuery['bbox']>): QueryFilter<ChallengeDocument> => {
    const longitude = 'location.coordinates.0';
    const latitude = { 'location.coordinates.1': { $gte: south, $lte: north } };
    return west <= east
      ? { ...latitude, [longitude]: { $gte: west, $lte: east } }
      : { ...latitude, $or: [{ [longitude]: { $gte: west } }, { [longitude]: { $lte: east } }] };
  };

  /** Sorted by distance already. */
  const around = (
    { lat, lng }: NonNullable<ChallengeQuery['near']>,
    radius: number,
  ): QueryFilter<ChallengeDocument> => ({
    location: {
      $nearSphere: { $geometry: { type: 'Point', coordinates: [lng, lat] }, $maxDistance: radius },
    },
  });

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
    /** Newest first, or nearest first with `near`; without a scope those of the caller, or all for nobody. */
    async list(query: ChallengeQuery, caller: Caller | undefined): Promise<Challenge[]> {
      const {
        scope = caller ? 'mine' : 'all',
        bbox,
        near,
        radius = defaultRadius,
        difficulty,
        search,
        cursor,
        limit = defaultLimit,
      } = query;
      if (scope === 'mine' && !caller) throw new Problem('unauthenticated');
      const filters: QueryFilter<ChallengeDocument>[] = [{ deletedAt: null }];
      if (scope === 'mine' && caller) filters.push(await ofPerson(caller.id));
      if (difficulty) filters.push({ difficulty });
      if (search) filters.push(matching(search));
      if (bbox) filters.push(inside(bbox));
      if (cursor) filters.push({ _id: { $lt: Number(cursor) || 0 } });
      const filter = { ...(near && around(near, radius)), $and: filters };
      const found = Challenges.find(filter, { outbox: 0 }).limit(limit).lean();
      return (await (near ? found : found.sort({ _id: -1 }))).map(presentChallenge);
    },

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

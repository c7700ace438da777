import { isDeepStrictEqual } from 'node:util';
import tzLookup from '@photostructure/tz-lookup';
import {
  CallError,
  type Challenge,
  type ChallengeChange,
  type Client,
  deletedUsername,
  type Event,
  type Language,
  localDate,
  type NewChallenge,
  needsPlace,
  type PlaceCategory,
  type Position,
  placeCategoryByWords,
  placeCategoryOf,
  pointsByDifficulty,
  type Suggestion,
  wayquestCreator,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Caller, type Idempotency, idempotencyMs, requireSameContent } from '@wayquest/platform/http';
import {
  createMembershipReplica,
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
} from '@wayquest/platform/replicas';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, tokenize, upsert, type WithOutbox, withEvents } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { presentChallenge, presentDetails, presentPosition } from './challenge.presenter.ts';
import { creatorModel } from './creator.model.ts';
import { unknownTimeZone } from './filters.ts';
import { finestTileAt } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Challenged = Omit<ChallengeDocument, 'outbox'>;

/** A challenge without its outbox. */
type StoredChallenge = Omit<ChallengeDocument, keyof WithOutbox>;

/** The fields that follow from a position. */
const placedAt = (position: Position) => ({
  location: { type: 'Point' as const, coordinates: [position.lng, position.lat] as [number, number] },
  timeZone: tzLookup(position.lat, position.lng),
  tile: finestTileAt(position),
});

/** The kind of place that its creator chose; undefined if its texts say the same, or none was chosen. */
const chosenPlaceCategoryOf = (challenge: Challenged): PlaceCategory | undefined =>
  challenge.placeCategory === placeCategoryByWords(challenge) ? undefined : challenge.placeCategory;

const noPlace = { errors: [{ field: 'checkInRequired', reason: needsPlace }] };

/** The data of the event of a deletion. */
const deletionOf = ({ _id, location }: Pick<ChallengeDocument, '_id' | 'location'>) => {
  const position = presentPosition(location);
  return { challengeId: _id, ...(position && { position }) };
};

/** How many are deleted in one command. */
const deletedTogether = 200;

/** The operations on challenges. */
export interface ChallengeOperations {
  /** Throws `challenge-not-found`, also for one that is hidden from the caller. */
  get(id: number, caller: Caller | undefined): Promise<Challenge>;
  /** For any caller. Throws `challenge-not-found`. */
  find(id: number): Promise<Challenge>;
  /** The creator is always the caller. Throws `too-many-requests`. */
  create(challenge: NewChallenge, caller: Caller, idempotency: Idempotency | undefined): Promise<Challenge>;
  /**
   * The challenge of a suggestion, which the first call creates. It belongs to no account, so that the first person to join
   * cannot change what everybody else finds.
   *
   * @throws `suggestion-not-found`, also if its challenge is deleted or hidden; `places-unavailable`; `too-many-requests`
   */
  createSuggested(wanted: { suggestion: string; language: Language }, caller: Caller): Promise<Challenge>;
  /** Publishes nothing if nothing changes. Throws `challenge-not-found` and `too-many-requests`. */
  update(id: number, challenge: ChallengeChange, caller: Caller): Promise<Challenge>;
  /**
   * Its creator can delete it as long as nobody else has joined, an admin always. Its participations are deleted by the
   * event. Throws `challenge-not-found` and `has-other-participants`.
   */
  delete(id: number, caller: Caller): Promise<void>;
  /**
   * Deletes all challenges of a creator, whoever has joined; points earned with them are revoked. Returns their number.
   */
  deleteAllOf(creatorId: number): Promise<number>;
  /** Archives one of the challenges that ended before a day; returns whether there was one. */
  archiveOne(timeZone: string, endedBefore: string): Promise<boolean>;
  /** Sets the position of a challenge that was created without one; an existing position stays. */
  locate(id: number, position: Position): Promise<void>;
  /**
   * Sets the time zone of a challenge that is not on the map by its town. Of several towns with that name, one in the time
   * zone of its creator is more likely than the largest.
   */
  applyTowns(id: number, towns: Position[]): Promise<void>;
  /** Applies a moderation decision; an older one that arrives late changes nothing. */
  applyDecision(event: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void>;
  /** The snapshot: all challenges as events, in the order of ids. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  applyJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void>;
  applyLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void>;
  /** Deletes memberships without an event since a time, and recounts all challenges with participants. */
  pruneStaleMemberships(since: Date): Promise<void>;
  pruneStaleCreators(since: Date): Promise<void>;
  /** Updates the creator's username on their challenges. */
  renameCreator(event: ReplicaEvent<'user.profile-changed.v1'>): Promise<void>;
  /** Removes a deleted user's name from their challenges, which stay, and recounts those that they had joined. */
  erase(userId: number): Promise<void>;
}

/** Creates the store of challenges; every change of one goes through it, with its event. */
export function createChallenges({
  kit: { connection, clock, ids, outboxes, weightOf },
  timeZones,
  places,
  countMade,
  countChanged,
}: {
  kit: ServiceKit;
  /** Calls the places service. */
  places: Client;
  timeZones: TimeZones;
  /** Counts a created challenge against the quota. Throws `too-many-requests`. */
  countMade: (userId: number, weight: number) => Promise<void>;
  /** The same for a changed one. */
  countChanged: (userId: number, weight: number) => Promise<void>;
}): ChallengeOperations {
  const Challenges = challengeModel(connection);
  const outbox = outboxes.forModel(Challenges);
  const memberships = createMembershipReplica(connection);
  const { model: Memberships } = memberships;
  const Creators = creatorModel(connection);

  /** Recomputes the number of participants from the memberships, until it is unchanged after writing. */
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

  /** Changes the challenge that a filter finds, with optimistic concurrency; returns whether there was one. */
  const change = async (
    filter: QueryFilter<ChallengeDocument>,
    next: (challenge: Challenged) => { set: Partial<ChallengeDocument>; events: Event[] } | undefined,
  ): Promise<boolean> => {
    for (;;) {
      const challenge = await Challenges.findOne({ ...filter, deletedAt: null }, { outbox: 0 }).lean();
      if (!challenge) return false;
      const wanted = next(challenge);
      if (!wanted) return true;
      const { set, events } = wanted;
      const { _id, version } = challenge;
      const { modifiedCount } = await Challenges.updateOne(
        { _id, version, deletedAt: null },
        withEvents({ $set: set }, events, clock),
      );
      if (!modifiedCount) continue;
      outbox.send(_id);
      return true;
    }
  };

  /** A change with its event. */
  const updated = (challenge: Challenged, fields: Partial<Challenged>) => {
    const version = challenge.version + 1;
    const details = presentDetails({ ...challenge, ...fields });
    return {
      set: { ...fields, version },
      events: [newEvent('challenge.updated.v1', { challenge: details, version }, clock)],
    };
  };

  const deletion = (challenge: Challenged) => ({
    set: { deletedAt: new Date(clock.now()) },
    events: [newEvent('challenge.deleted.v1', deletionOf(challenge), clock)],
  });

  /** Sets the creator's username on a person's challenges. */
  const nameCreator = async (userId: number, username: string): Promise<void> => {
    const outdated = { 'creator.id': userId, 'creator.username': { $ne: username } };
    while (await change(outdated, (challenge) => updated(challenge, { creator: { id: userId, username } })));
  };

  /** The challenge of an earlier call with the same key. Throws `invalid-request` if that had another body. */
  const madeBy = async (idempotency: Idempotency): Promise<Challenge | undefined> => {
    const { key } = idempotency;
    const made = await Challenges.findOne({ 'idempotency.key': key }, { outbox: 0 }).lean();
    if (!made?.idempotency) return undefined;
    if (made.createdAt.getTime() < clock.now() - idempotencyMs) {
      await Challenges.updateOne({ _id: made._id, 'idempotency.key': key }, { $unset: { idempotency: 1 } });
      return undefined;
    }
    requireSameContent(made.idempotency, idempotency);
    return presentChallenge(made);
  };

  /** Throws `suggestion-not-found` for a deleted or hidden challenge. */
  const createdFrom = async (suggestion: string): Promise<Challenge | undefined> => {
    const found = await Challenges.findOne({ suggestion }, { outbox: 0 }).lean();
    if (found && (found.deletedAt || found.status === 'hidden')) throw new Problem('suggestion-not-found');
    return found ? presentChallenge(found) : undefined;
  };

  /** Throws `suggestion-not-found` and `places-unavailable`. */
  const suggestionFromItsService = async (
    id: string,
    language: Language,
    { token }: Caller,
  ): Promise<Suggestion> => {
    try {
      // In the person's name: otherwise all people together would have the limit of one network.
      return await places.getSuggestion({ params: { id }, query: { language } }, { token });
    } catch (error) {
      const isUnknown = error instanceof CallError && error.status === 404;
      throw new Problem(isUnknown ? 'suggestion-not-found' : 'places-unavailable', { cause: error });
    }
  };

  /**
   * Stores a new challenge with its event.
   *
   * @param findOther - Finds the challenge of a concurrent call that took the same unique key.
   */
  const insert = async (
    fields: Omit<StoredChallenge, '_id' | 'version' | 'words' | 'participants' | 'createdAt'>,
    findOther: () => Promise<Challenge | undefined>,
  ): Promise<Challenge> => {
    const challenge = {
      ...fields,
      _id: await ids.next('challenge'),
      version: 1,
      words: tokenize([fields.name, fields.locationName, fields.city]),
      participants: 0,
      createdAt: new Date(clock.now()),
    };
    const created = [
      newEvent('challenge.created.v1', { challenge: presentDetails(challenge), version: 1 }, clock),
    ];
    await timeZones.add(challenge.timeZone);
    try {
      await outbox.create(challenge, created);
    } catch (error) {
      const other = isDuplicateKey(error) ? await findOther() : undefined;
      if (!other) throw error;
      return other;
    }
    return presentChallenge(challenge);
  };

  return {
    async get(id: number, caller: Caller | undefined): Promise<Challenge> {
      const challenge = await this.find(id);
      const mayRead = challenge.status !== 'hidden' || caller?.admin || caller?.id === challenge.creator.id;
      if (!mayRead) throw new Problem('challenge-not-found');
      return challenge;
    },

    async find(id: number): Promise<Challenge> {
      const challenge = await Challenges.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
      if (!challenge) throw new Problem('challenge-not-found');
      return presentChallenge(challenge);
    },

    async create(
      { position, points, timeZone = unknownTimeZone, ...fields }: NewChallenge,
      caller: Caller,
      idempotency: Idempotency | undefined,
    ): Promise<Challenge> {
      const before = idempotency && (await madeBy(idempotency));
      if (before) return before;
      await countMade(caller.id, weightOf(caller));
      const creator = await Creators.findById(caller.id).lean();
      return insert(
        {
          ...fields,
          points: points ?? pointsByDifficulty[fields.difficulty],
          placeCategory: placeCategoryOf(fields),
          ...(position ? placedAt(position) : { timeZone }),
          creator: { id: caller.id, username: creator?.username ?? caller.username },
          ...(idempotency && { idempotency }),
        },
        // A repeat arrived before the first call was done.
        async () => idempotency && madeBy(idempotency),
      );
    },

    async createSuggested(
      { suggestion, language }: { suggestion: string; language: Language },
      caller: Caller,
    ): Promise<Challenge> {
      const before = await createdFrom(suggestion);
      if (before) return before;
      const found = await suggestionFromItsService(suggestion, language, caller);
      await countMade(caller.id, weightOf(caller));
      const { id: _, position, ...fields } = found;
      return insert(
        {
          ...fields,
          ...{ startDate: null, endDate: null, suggestion, creator: wayquestCreator },
          ...placedAt(position),
        },
        // Somebody else was first.
        () => createdFrom(suggestion),
      );
    },

    async update(id: number, { points, ...fields }: ChallengeChange, caller: Caller): Promise<Challenge> {
      await countChanged(caller.id, weightOf(caller));
      const wanted = { ...fields, points: points ?? pointsByDifficulty[fields.difficulty] };
      await change({ _id: id }, (challenge) => {
        if (isDeepStrictEqual({ ...challenge, ...wanted }, challenge)) return undefined;
        if (wanted.checkInRequired && !challenge.location) throw new Problem('invalid-request', noPlace);
        const words = tokenize([wanted.name, challenge.locationName, challenge.city]);
        const { endDate } = wanted;
        const staysOpen = !endDate || endDate >= localDate(challenge.timeZone, new Date(clock.now()));
        const back = challenge.status === 'archived' && staysOpen;
        const placeCategory =
          wanted.placeCategory ??
          chosenPlaceCategoryOf(challenge) ??
          placeCategoryByWords({ ...challenge, ...wanted });
        return updated(challenge, { ...wanted, words, placeCategory, ...(back && { status: null }) });
      });
      return this.get(id, caller);
    },

    async delete(id: number, caller: Caller): Promise<void> {
      const others = { challengeId: id, left: false, userId: { $ne: caller.id } };
      if (!caller.admin && (await Memberships.exists(others))) throw new Problem('has-other-participants');
      const found = await change({ _id: id }, deletion);
      if (!found) throw new Problem('challenge-not-found');
      await Memberships.deleteMany({ challengeId: id });
    },

    async deleteAllOf(creatorId: number): Promise<number> {
      let deleted = 0;
      for (;;) {
        const all = Challenges.find(
          { 'creator.id': creatorId, deletedAt: null },
          { location: 1, version: 1 },
        );
        const found = await all.limit(deletedTogether).lean();
        if (!found.length) return deleted;
        const ids = found.map(({ _id }) => _id);
        const { modifiedCount } = await Challenges.bulkWrite(
          found.map(({ _id, version, location }) => ({
            updateOne: {
              filter: { _id, version, deletedAt: null },
              update: withEvents(
                { $set: { deletedAt: new Date(clock.now()) } },
                [
                  newEvent(
                    'challenge.deleted.v1',
                    { ...deletionOf({ _id, location }), revokesPoints: true },
                    clock,
                  ),
                ],
                clock,
              ),
            },
          })),
        );
        deleted += modifiedCount;
        for (const id of ids) outbox.send(id);
        await Memberships.deleteMany({ challengeId: { $in: ids } });
      }
    },

    archiveOne: (timeZone: string, endedBefore: string): Promise<boolean> =>
      change({ timeZone, status: null, endDate: { $lt: endedBefore } }, (challenge) =>
        updated(challenge, { status: 'archived' }),
      ),

    async locate(id: number, position: Position): Promise<void> {
      const placed = placedAt(position);
      await timeZones.add(placed.timeZone);
      await change({ _id: id, location: null }, (challenge) => updated(challenge, placed));
    },

    async applyTowns(id: number, towns: Position[]): Promise<void> {
      const found = towns.map(({ lat, lng }) => tzLookup(lat, lng));
      const [largest = unknownTimeZone] = found;
      await timeZones.add(largest);
      await change({ _id: id, location: null }, (challenge) =>
        found.includes(challenge.timeZone) ? undefined : updated(challenge, { timeZone: largest }),
      );
    },

    async applyDecision({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
      if (data.kind !== 'challenge') return;
      const { subjectId: _id, version: decision, state } = data;
      const older = { _id, $or: [{ decision: null }, { decision: { $lt: decision } }] };
      await change(older, (challenge) => {
        if (state === 'deleted') return deletion(challenge);
        if (state === 'hidden') return updated(challenge, { decision, status: 'hidden' });
        if (challenge.status !== 'hidden') return { set: { decision }, events: [] };
        return updated(challenge, { decision, status: null });
      });
      if (state === 'deleted') await Memberships.deleteMany({ challengeId: _id });
    },

    async *snapshot(after: number) {
      const all = Challenges.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({ _id: 1 });
      for await (const challenge of all.lean().cursor()) {
        const { _id: id, version } = challenge;
        const data = { challenge: presentDetails(challenge), version };
        yield { id, events: [newEvent('challenge.updated.v1', data, clock)] };
      }
    },

    async applyJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void> {
      await memberships.applyJoined(event);
      await recount(event.data.challengeId);
    },

    async applyLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void> {
      await memberships.applyLeft(event);
      await recount(event.data.challengeId);
    },

    async pruneStaleMemberships(since: Date): Promise<void> {
      await memberships.pruneStale(since);
      const counted = Challenges.find({ participants: { $gt: 0 } }, { _id: 1 });
      for await (const { _id } of counted.lean().cursor()) await recount(_id);
    },

    async pruneStaleCreators(since: Date): Promise<void> {
      await Creators.deleteMany(staleSince(since), scanById);
    },

    async renameCreator(event: ReplicaEvent<'user.profile-changed.v1'>): Promise<void> {
      const { version } = event.data;
      const { id: userId, username } = event.data.user;
      const now = { username, version, lastEventAt: lastEventAt(event) };
      await upsert(Creators, { _id: userId }, { $setOnInsert: now });
      await Creators.updateOne({ _id: userId, version: { $lt: version } }, { $set: now });
      if (event.replayed)
        await Creators.updateOne({ _id: userId, ...staleSince(event.replayed) }, { $set: now });
      const current = await Creators.findById(userId).lean();
      if (current?.version !== version) return;
      await nameCreator(userId, username);
    },

    async erase(userId: number): Promise<void> {
      await Creators.deleteMany({ _id: userId });
      await nameCreator(userId, deletedUsername);
      for (const challengeId of await memberships.erase(userId)) await recount(challengeId);
    },
  };
}

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
  type Position,
  pointsByDifficulty,
  type Scene,
  type Suggestion,
  sceneByWords,
  sceneOf,
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
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, tokenize, upsert, withEvents } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { presentChallenge, presentDetails, presentPosition } from './challenge.presenter.ts';
import { creatorModel } from './creator.model.ts';
import { unknownTimeZone } from './filters.ts';
import { finestTileAt } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Challenged = Omit<ChallengeDocument, 'outbox'>;

/** What a place on the map gives a challenge. */
const placedAt = (position: Position) => ({
  location: { type: 'Point' as const, coordinates: [position.lng, position.lat] as [number, number] },
  timeZone: tzLookup(position.lat, position.lng),
  cell: finestTileAt(position),
});

/** The kind of place that its maker said; none where its words say the same, or nobody said one. */
const toldOf = (challenge: Challenged): Scene | undefined =>
  challenge.scene === sceneByWords(challenge) ? undefined : challenge.scene;

const noPlace = { errors: [{ field: 'checkInAsked', reason: needsPlace }] };

/** What is told of one that is deleted. */
const deletionOf = ({ _id, location }: Pick<ChallengeDocument, '_id' | 'location'>) => {
  const position = presentPosition(location);
  return { challengeId: _id, ...(position && { position }) };
};

/** So many go in one command. */
const deletedTogether = 200;

/** The operations on challenges, in the words of the domain. */
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
  /** Counts one more that somebody makes. Throws `too-many-requests`. */
  countMade: (userId: number, weight: number) => Promise<void>;
  /** The same for one that somebody changes. */
  countChanged: (userId: number, weight: number) => Promise<void>;
}) {
  const Challenges = challengeModel(connection);
  const outbox = outboxes.forModel(Challenges);
  const memberships = createMembershipReplica(connection);
  const { model: Memberships } = memberships;
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

  /** Changes a challenge that a filter finds, as it is at that moment; answers whether there was one. */
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

  /** A change that others hear of. */
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

  /** Shows a person's challenges under a name. */
  const nameCreator = async (userId: number, username: string): Promise<void> => {
    const outdated = { 'creator.id': userId, 'creator.username': { $ne: username } };
    while (await change(outdated, (challenge) => updated(challenge, { creator: { id: userId, username } })));
  };

  /** What an earlier call with the same key made. Throws `invalid-request` where it had another body. */
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

  return {
    /** Throws `challenge-not-found`, also of one that is hidden from who asks. */
    async get(id: number, caller: Caller | undefined): Promise<Challenge> {
      const challenge = await this.find(id);
      const mayRead = challenge.status !== 'hidden' || caller?.admin || caller?.id === challenge.creator.id;
      if (!mayRead) throw new Problem('challenge-not-found');
      return challenge;
    },

    /** Whoever asks. Throws `challenge-not-found`. */
    async find(id: number): Promise<Challenge> {
      const challenge = await Challenges.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
      if (!challenge) throw new Problem('challenge-not-found');
      return presentChallenge(challenge);
    },

    /** Whatever the body says of a creator, it is the caller. Throws `too-many-requests`. */
    async create(
      { position, points, timeZone = unknownTimeZone, ...fields }: NewChallenge,
      caller: Caller,
      idempotency: Idempotency | undefined,
    ): Promise<Challenge> {
      const before = idempotency && (await madeBy(idempotency));
      if (before) return before;
      await countMade(caller.id, weightOf(caller));
      const creator = await Creators.findById(caller.id).lean();
      const challenge = {
        ...fields,
        _id: await ids.next('challenge'),
        version: 1,
        points: points ?? pointsByDifficulty[fields.difficulty],
        words: tokenize([fields.name, fields.locationName, fields.city]),
        scene: sceneOf(fields),
        ...(position ? placedAt(position) : { timeZone }),
        creator: { id: caller.id, username: creator?.username ?? caller.username },
        participants: 0,
        createdAt: new Date(clock.now()),
        ...(idempotency && { idempotency }),
      };
      const created = [
        newEvent('challenge.created.v1', { challenge: presentDetails(challenge), version: 1 }, clock),
      ];
      await timeZones.keep(challenge.timeZone);
      try {
        await outbox.create(challenge, created);
      } catch (error) {
        // A repeat came before the first call was done.
        const made = isDuplicateKey(error) && idempotency ? await madeBy(idempotency) : undefined;
        if (!made) throw error;
        return made;
      }
      return presentChallenge(challenge);
    },

    /**
     * The challenge of a suggestion, which the first call creates. It belongs to nobody: whoever comes first may not change
     * what all others find.
     *
     * @throws `suggestion-not-found`, also if its challenge is deleted or hidden; `places-unavailable`; `too-many-requests`
     */
    async createSuggested(
      { suggestion, language }: { suggestion: string; language: Language },
      caller: Caller,
    ): Promise<Challenge> {
      const before = await createdFrom(suggestion);
      if (before) return before;
      const found = await suggestionFromItsService(suggestion, language, caller);
      await countMade(caller.id, weightOf(caller));
      const { id: _, position, ...fields } = found;
      const challenge = {
        ...{ ...fields, startDate: null, endDate: null, suggestion },
        _id: await ids.next('challenge'),
        version: 1,
        words: tokenize([fields.name, fields.locationName, fields.city]),
        ...placedAt(position),
        creator: wayquestCreator,
        participants: 0,
        createdAt: new Date(clock.now()),
      };
      const created = [
        newEvent('challenge.created.v1', { challenge: presentDetails(challenge), version: 1 }, clock),
      ];
      await timeZones.keep(challenge.timeZone);
      try {
        await outbox.create(challenge, created);
      } catch (error) {
        // Somebody else was first.
        const other = isDuplicateKey(error) ? await createdFrom(suggestion) : undefined;
        if (!other) throw error;
        return other;
      }
      return presentChallenge(challenge);
    },

    /** Nobody hears of what was so already. Throws `challenge-not-found` and `too-many-requests`. */
    async update(id: number, { points, ...fields }: ChallengeChange, caller: Caller): Promise<Challenge> {
      await countChanged(caller.id, weightOf(caller));
      const wanted = { ...fields, points: points ?? pointsByDifficulty[fields.difficulty] };
      await change({ _id: id }, (challenge) => {
        if (isDeepStrictEqual({ ...challenge, ...wanted }, challenge)) return undefined;
        if (wanted.checkInAsked && !challenge.location) throw new Problem('invalid-request', noPlace);
        const words = tokenize([wanted.name, challenge.locationName, challenge.city]);
        const { endDate } = wanted;
        const goesOn = !endDate || endDate >= localDate(challenge.timeZone, new Date(clock.now()));
        const back = challenge.status === 'archived' && goesOn;
        const scene = wanted.scene ?? toldOf(challenge) ?? sceneByWords({ ...challenge, ...wanted });
        return updated(challenge, { ...wanted, words, scene, ...(back && { status: null }) });
      });
      return this.get(id, caller);
    },

    /**
     * Its maker deletes it as long as nobody else takes part, an admin whenever. Throws `challenge-not-found` and
     * `others-take-part`. Its lines go by the event.
     */
    async delete(id: number, caller: Caller): Promise<void> {
      const others = { challengeId: id, left: false, userId: { $ne: caller.id } };
      if (!caller.admin && (await Memberships.exists(others))) throw new Problem('others-take-part');
      const found = await change({ _id: id }, deletion);
      if (!found) throw new Problem('challenge-not-found');
      await Memberships.deleteMany({ challengeId: id });
    },

    /**
     * Deletes all that somebody made, whoever takes part, and lets what was earned with it be taken back. Answers how many.
     */
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
                    { ...deletionOf({ _id, location }), withdrawn: true },
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

    /** Takes one of the challenges that ended before a day out of lists and counts; answers whether there was one. */
    archiveOne: (timeZone: string, endedBefore: string): Promise<boolean> =>
      change({ timeZone, status: null, endDate: { $lt: endedBefore } }, (challenge) =>
        updated(challenge, { status: 'archived' }),
      ),

    /** Puts a challenge that was made without a place where it is; one that is on the map stays there. */
    async locate(id: number, position: Position): Promise<void> {
      const placed = placedAt(position);
      await timeZones.keep(placed.timeZone);
      await change({ _id: id, location: null }, (challenge) => updated(challenge, placed));
    },

    /**
     * Gives a challenge that is not on the map the time zone of its town. Of several towns of that name one in the zone that it
     * has, its maker's, is likelier than the one with the most people.
     */
    async keepTowns(id: number, towns: Position[]): Promise<void> {
      const found = towns.map(({ lat, lng }) => tzLookup(lat, lng));
      const [largest = unknownTimeZone] = found;
      await timeZones.keep(largest);
      await change({ _id: id, location: null }, (challenge) =>
        found.includes(challenge.timeZone) ? undefined : updated(challenge, { timeZone: largest }),
      );
    },

    /** What was decided about a challenge; an older decision that comes late changes nothing. */
    async keepDecided({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
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

    /** All challenges as they are now. */
    async *snapshot(after: number) {
      const all = Challenges.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({ _id: 1 });
      for await (const challenge of all.lean().cursor()) {
        const { _id: id, version } = challenge;
        const told = { challenge: presentDetails(challenge), version };
        yield { id, events: [newEvent('challenge.updated.v1', told, clock)] };
      }
    },

    async keepJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void> {
      await memberships.keepJoined(event);
      await recount(event.data.challengeId);
    },

    async keepLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void> {
      await memberships.keepLeft(event);
      await recount(event.data.challengeId);
    },

    /** Takes out whose lines were not heard of since a moment, and counts again wherever somebody took part. */
    async pruneStaleMemberships(since: Date): Promise<void> {
      await memberships.pruneStale(since);
      const counted = Challenges.find({ participants: { $gt: 0 } }, { _id: 1 });
      for await (const { _id } of counted.lean().cursor()) await recount(_id);
    },

    async pruneStaleCreators(since: Date): Promise<void> {
      await Creators.deleteMany(staleSince(since), scanById);
    },

    /** Shows a person's challenges under the name they go by now. */
    async renameCreator(event: ReplicaEvent<'user.profile-changed.v1'>): Promise<void> {
      const { version } = event.data;
      const { id: userId, username } = event.data.user;
      const now = { username, version, heardAt: lastEventAt(event) };
      await upsert(Creators, { _id: userId }, { $setOnInsert: now });
      await Creators.updateOne({ _id: userId, version: { $lt: version } }, { $set: now });
      if (event.replayed)
        await Creators.updateOne({ _id: userId, ...staleSince(event.replayed) }, { $set: now });
      const current = await Creators.findById(userId).lean();
      if (current?.version !== version) return;
      await nameCreator(userId, username);
    },

    /** What somebody made stays, without their name; where they took part it is counted again. */
    async erase(userId: number): Promise<void> {
      await Creators.deleteMany({ _id: userId });
      await nameCreator(userId, deletedUsername);
      for (const challengeId of await memberships.erase(userId)) await recount(challengeId);
    },
  };
}

export type ChallengeOperations = ReturnType<typeof createChallenges>;

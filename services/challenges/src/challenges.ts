import { isDeepStrictEqual } from 'node:util';
import {
  type Challenge,
  type ChallengeUpdate,
  checkInNeedsPosition,
  deletedUsername,
  type Event,
  localDate,
  type PlaceCategory,
  type Position,
  placeCategoryByWords,
  pointsByDifficulty,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import {
  createMembershipReplica,
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
} from '@wayquest/platform/replicas';
import { tokenize } from '@wayquest/platform/search';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { QueryFilter } from 'mongoose';
import type { Abilities } from './abilities.ts';
import {
  type ChallengeDocument,
  challengeModel,
  creatorModel,
  presentChallenge,
  presentDetails,
} from './challenge.model.ts';
import {
  type ChallengeCreation,
  type ChallengeCreationDeps,
  createChallengeCreation,
  locationFieldsOf,
} from './challenge-creation.ts';
import { type ChangedChallenge, createChallengeWriter } from './challenge-writer.ts';
import { unknownTimeZone } from './filters.ts';
import type { TileCounts } from './tile-counts.ts';
import { finestTileAt } from './tiles.ts';
import { haveSameDays, timeZoneAt } from './time-zones.ts';

/** The towns that the address of a challenge may mean, largest first. */
type FoundTowns = Event<'challenge.town-found.v1'>['data']['towns'];

/** A town that is as many times as large as others of its name is the one that people mean. */
const evidentRatio = 10;

/** The kind of place that its creator chose; undefined if its texts say the same, or none was chosen. */
const chosenPlaceCategoryOf = (challenge: ChangedChallenge): PlaceCategory | undefined =>
  challenge.placeCategory === placeCategoryByWords(challenge) ? undefined : challenge.placeCategory;

const checkInNeedsPositionError = { errors: [{ field: 'checkInRequired', reason: checkInNeedsPosition }] };

/** Where on the map an event changes the number of challenges. */
const positionIn = ({ name, data }: Event): Position | null | undefined => {
  if (name === 'challenge.created.v1' || name === 'challenge.updated.v1') return data.challenge.position;
  return name === 'challenge.deleted.v1' ? data.position : undefined;
};

/** How many are deleted in one command. */
const deletionBatchSize = 200;

/** The operations on challenges. */
export interface ChallengeOperations extends ChallengeCreation {
  /** Throws `challenge-not-found`, also for one that is hidden from the caller. */
  get(id: number, caller: Caller | undefined): Promise<Challenge>;
  /** For any caller. Throws `challenge-not-found`. */
  find(id: number): Promise<Challenge>;
  /** Publishes nothing if nothing changes. Throws `challenge-not-found` and `too-many-requests`. */
  update(id: number, challenge: ChallengeUpdate, caller: Caller): Promise<Challenge>;
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
  applyTowns(id: number, towns: FoundTowns): Promise<void>;
  /** Applies a moderation decision; an older one that arrives late changes nothing. */
  applyDecision(event: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void>;
  /**
   * Stores the photo that is its picture; an older one that arrives late changes nothing. Other services, and the pages that
   * show it, learn it from the challenge's event.
   */
  applyPicture(event: ReplicaEvent<'challenge.picture-changed.v1'>): Promise<void>;
  /** Removes pictures without an event since a time. */
  pruneStalePictures(since: Date): Promise<void>;
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
  countChanged,
  tileCounts,
  abilities,
  ...creationDeps
}: Omit<ChallengeCreationDeps, 'outbox'> & {
  kit: ServiceKit;
  tileCounts: Pick<TileCounts, 'recount'>;
  abilities: Pick<Abilities, 'haveOthersJoined'>;
  /** Counts a changed challenge against the quota. Throws `too-many-requests`. */
  countChanged: (userId: number, weight: number) => Promise<void>;
}): ChallengeOperations {
  const {
    kit: { connection, clock, outboxes, weightOf },
    timeZones,
  } = creationDeps;
  const Challenges = challengeModel(connection);
  const outbox = outboxes.forModel(Challenges, {
    async onRelay(event) {
      const position = positionIn(event);
      if (position) await tileCounts.recount(finestTileAt(position));
    },
  });
  const writer = createChallengeWriter({ connection, clock, outbox });
  const memberships = createMembershipReplica(connection);
  const { model: Memberships } = memberships;
  const Creators = creatorModel(connection);

  /** Recomputes the number of participants from the memberships, and repeats until the stored number is stable. */
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

  /**
   * Sets the creator's username on a person's challenges. Publishes nothing, however many they are: other services have the
   * names of users from the users service.
   */
  const updateCreatorName = async (userId: number, username: string): Promise<void> => {
    const outdated = { 'creator.id': userId, 'creator.username': { $ne: username } };
    await Challenges.updateMany(outdated, { $set: { 'creator.username': username } });
  };

  const removePicture = (filter: QueryFilter<ChallengeDocument>) =>
    writer.change(filter, (challenge) => writer.update(challenge, { picture: null }));

  return {
    ...createChallengeCreation({ ...creationDeps, outbox }),

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

    async update(id: number, { points, ...fields }: ChallengeUpdate, caller: Caller): Promise<Challenge> {
      await countChanged(caller.id, weightOf(caller));
      const changes = { ...fields, points: points ?? pointsByDifficulty[fields.difficulty] };
      await writer.change({ _id: id }, (challenge) => {
        if (changes.checkInRequired && !challenge.location)
          throw new Problem('invalid-request', checkInNeedsPositionError);
        const words = tokenize([changes.name, challenge.locationName, challenge.city]);
        const { endDate } = changes;
        const staysOpen = !endDate || endDate >= localDate(challenge.timeZone, new Date(clock.now()));
        const reopens = challenge.status === 'archived' && staysOpen;
        const placeCategory =
          changes.placeCategory ??
          chosenPlaceCategoryOf(challenge) ??
          placeCategoryByWords({ ...challenge, ...changes });
        const hasOtherTexts =
          changes.name !== challenge.name || changes.description !== challenge.description;
        const changed = { ...changes, placeCategory, ...(hasOtherTexts && { template: null }) };
        // Compared as they are published: a field that is absent may mean the same as one that is sent.
        if (isDeepStrictEqual(presentDetails({ ...challenge, ...changed }), presentDetails(challenge)))
          return undefined;
        return writer.update(challenge, {
          ...changed,
          words,
          ...(reopens && { status: null }),
        });
      });
      return this.get(id, caller);
    },

    async delete(id: number, caller: Caller): Promise<void> {
      if (!caller.admin && (await abilities.haveOthersJoined(id, caller.id)))
        throw new Problem('has-other-participants');
      const found = await writer.change({ _id: id }, (challenge) => writer.delete(challenge));
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
        const found = await all.limit(deletionBatchSize).lean();
        if (!found.length) return deleted;
        const ids = found.map(({ _id }) => _id);
        const { modifiedCount } = await Challenges.bulkWrite(
          found.map((challenge) => {
            const { set, events } = writer.delete(challenge, true);
            const { _id, version } = challenge;
            const filter = { _id, version, deletedAt: null };
            return { updateOne: { filter, update: withEvents({ $set: set }, events, clock) } };
          }),
        );
        deleted += modifiedCount;
        for (const id of ids) outbox.send(id);
        await Memberships.deleteMany({ challengeId: { $in: ids } });
      }
    },

    archiveOne: (timeZone: string, endedBefore: string): Promise<boolean> =>
      writer.change({ timeZone, status: null, endDate: { $lt: endedBefore } }, (challenge) =>
        writer.update(challenge, { status: 'archived' }),
      ),

    async locate(id: number, position: Position): Promise<void> {
      const placed = locationFieldsOf(position);
      await timeZones.add(placed.timeZone);
      await writer.change({ _id: id, location: null }, (challenge) => writer.update(challenge, placed));
    },

    async applyTowns(id: number, towns: FoundTowns): Promise<void> {
      const now = new Date(clock.now());
      const found = towns.map((town) => ({ population: town.population ?? 0, timeZone: timeZoneAt(town) }));
      const [largest] = found;
      if (!largest) return;
      const other = found.find(({ timeZone }) => !haveSameDays(timeZone, largest.timeZone, now));
      const isEvident = !other || other.population * evidentRatio < largest.population;
      await timeZones.add(largest.timeZone);
      await writer.change({ _id: id, location: null }, (challenge) => {
        const creatorKnowsBetter =
          found.some(({ timeZone }) => haveSameDays(timeZone, challenge.timeZone, now)) ||
          // It may be a town that the data lack, in a province that they do not know.
          (challenge.state && challenge.timeZone !== unknownTimeZone && !isEvident);
        return creatorKnowsBetter ? undefined : writer.update(challenge, { timeZone: largest.timeZone });
      });
    },

    async applyDecision({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
      if (data.kind !== 'challenge') return;
      const { subjectId: _id, version: decision, state } = data;
      const olderDecisionFilter = { _id, $or: [{ decision: null }, { decision: { $lt: decision } }] };
      await writer.change(olderDecisionFilter, (challenge) => {
        if (state === 'deleted') return writer.delete(challenge);
        if (state === 'hidden') return writer.update(challenge, { decision, status: 'hidden' });
        if (challenge.status !== 'hidden') return { set: { decision }, events: [] };
        return writer.update(challenge, { decision, status: null });
      });
      if (state === 'deleted') await Memberships.deleteMany({ challengeId: _id });
    },

    async applyPicture(event: ReplicaEvent<'challenge.picture-changed.v1'>): Promise<void> {
      const { challengeId, picture, version } = event.data;
      const isOlder = [
        { pictureVersion: null },
        { pictureVersion: { $lt: version } },
        ...(event.replayed ? [staleSince(event.replayed, 'pictureLastEventAt')] : []),
      ];
      await writer.change({ _id: challengeId, $or: isOlder }, (challenge) => {
        const applied = { pictureVersion: version, pictureLastEventAt: lastEventAt(event) };
        if (isDeepStrictEqual(challenge.picture ?? null, picture)) return { set: applied, events: [] };
        return writer.update(challenge, { ...applied, picture });
      });
    },

    async pruneStalePictures(since: Date): Promise<void> {
      const stale = { 'picture.userId': { $gt: 0 }, ...staleSince(since, 'pictureLastEventAt') };
      for (let found = true; found; ) found = await removePicture(stale);
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
      const creator = { username, version, lastEventAt: lastEventAt(event) };
      await upsert(Creators, { _id: userId }, { $setOnInsert: creator });
      await Creators.updateOne({ _id: userId, version: { $lt: version } }, { $set: creator });
      if (event.replayed)
        await Creators.updateOne({ _id: userId, ...staleSince(event.replayed) }, { $set: creator });
      const current = await Creators.findById(userId).lean();
      if (current?.version !== version) return;
      await updateCreatorName(userId, username);
    },

    async erase(userId: number): Promise<void> {
      await Creators.deleteOne({ _id: userId });
      await updateCreatorName(userId, deletedUsername);
      // Participation publishes the next one.
      for (let found = true; found; ) found = await removePicture({ 'picture.userId': userId });
      for (const challengeId of await memberships.erase(userId)) await recount(challengeId);
    },
  };
}

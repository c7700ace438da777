import {
  type ChallengeDetails,
  type Event,
  type ImplausibilityReason,
  isVisibleTo,
  localDate,
  maxWithoutAccount,
  type OperationRequest,
  type Operations,
  type Participation,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import {
  type BlockReplica,
  type ChallengeReplica,
  type FriendshipReplica,
  type ReplicaEvent,
  showsParticipation,
  type UserReplica,
} from '@wayquest/platform/replicas';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, withEvents } from '@wayquest/platform/store';
import {
  checkLocation,
  comparisonWindowMs,
  completionTime,
  isPaceImplausible,
  isTravelImplausible,
  requireCheckIn,
  requireOpen,
} from './completion-checks.ts';
import {
  participationKey,
  participationModel,
  photoModel,
  presentParticipation,
  type StoredParticipation,
  withoutPlace,
  withoutTimes,
} from './participation.model.ts';
import { filterFullPage, type VisibleParticipations } from './visible-participations.ts';

type ParticipationQuery = OperationRequest<Operations['listParticipations']>['query'];
type ParticipationUpdate = OperationRequest<Operations['updateParticipation']>['body'];
type CompletionQuery = OperationRequest<Operations['listCompletions']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 500;

/** The same for other people's completions. */
const defaultCompletions = 20;

/** Maximum number of earlier completions that a new one is compared with. */
const maxCompared = 100;

/** Fields that a deleted participation loses. */
const removedFields = { key: 1, note: 1, photo: 1 } as const;

const keyOf = ({ _id, challengeId, userId }: StoredParticipation) => ({
  participationId: _id,
  challengeId,
  userId,
});

/** The operations on participations. */
export interface ParticipationOperations {
  /** Throws `participation-not-found`. */
  find(id: number): Promise<StoredParticipation>;
  /**
   * Whether a person shows the caller their participations; never if the caller blocked them. Throws `user-not-found`
   * if they blocked the caller.
   */
  isShown(userId: number, caller: Caller): Promise<boolean>;
  /**
   * The caller's participations, newest first; or those of one challenge, oldest first. Throws `unauthenticated` for
   * the caller's own without an account.
   */
  list(query: ParticipationQuery, caller: Caller | undefined): Promise<Participation[]>;
  /**
   * The latest completions of these people, newest first. People who hide theirs are not queried: gaps would reveal
   * when they completed something. Takes one command, and one more if somebody shows theirs to friends only.
   */
  latestOf(query: CompletionQuery, caller: Caller): Promise<Participation[]>;
  /**
   * Returns the existing participation if the caller joined before. Throws `challenge-not-found`, also for a hidden
   * challenge.
   */
  join(challengeId: number, caller: Caller): Promise<{ participation: Participation; isNew: boolean }>;
  /**
   * Completes a participation on a day of the challenge; idempotent. A position is used for the check-in and not
   * stored. Throws `participation-not-found`, `not-started`, `already-ended`, `completed-too-long-ago`, `challenge-hidden`,
   * `check-in-required`, `already-completed` for an attempt to undo it, and `too-many-requests`.
   */
  setCompleted(participation: StoredParticipation, update: ParticipationUpdate): Promise<Participation>;
  /** A snapshot of all participations and completions. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  leave: (participation: StoredParticipation) => Promise<void>;
  /** Deletes a user's participations without events: services that count them consume `user.deleted`. */
  erase(userId: number): Promise<void>;
  /**
   * Deletes the participations of a deleted challenge; one with unpublished events is deleted once they are
   * published.
   */
  removeAll(deletion: ReplicaEvent<'challenge.deleted.v1'>): Promise<void>;
}

/** Creates the store of who joined and completed which challenge; every change publishes an event. */
export function createParticipations({
  kit: { connection, clock, ids, outboxes },
  challengeReplica,
  userReplica,
  friendships,
  blocks,
  visibleParticipations,
  countCompleted,
}: {
  kit: ServiceKit;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  visibleParticipations: VisibleParticipations;
  /** Counts a completion. Throws `too-many-requests`. */
  countCompleted: (userId: number) => Promise<void>;
}): ParticipationOperations {
  const Participations = participationModel(connection);
  const Photos = photoModel(connection);
  const outbox = outboxes.forModel(Participations, {
    // Together with the event, so that a crash in between leaves no photo.
    onRelay: async ({ name, data }) => {
      if (name === 'challenge.left.v1') await Photos.deleteMany({ participationId: data.participationId });
    },
  });

  /** The participations that a reader may see. */
  const presentTo = async (
    caller: Caller | undefined,
    participations: StoredParticipation[],
  ): Promise<Participation[]> =>
    (await visibleParticipations.visibleTo(caller, participations)).map(({ participation, ...nested }) =>
      presentParticipation(participation, nested),
    );

  /** The people who show a reader their participations. */
  const visibleTo = async (readerId: number, ids: number[]): Promise<number[]> => {
    const people = [...(await userReplica.withPrivacy(ids))];
    const readerOf = await friendships.readerOf(
      readerId,
      people.map(([id, { privacy }]) => ({ id, visibility: [privacy.participation] })),
    );
    return people.flatMap(([id, { privacy }]) =>
      isVisibleTo(privacy.participation, readerOf(id)) ? [id] : [],
    );
  };

  const presentOne = async (participation: StoredParticipation): Promise<Participation> => {
    const [nested] = await visibleParticipations.nest([participation]);
    if (!nested) throw new Problem('challenge-not-found');
    return presentParticipation(participation, nested);
  };

  const find = async (id: number): Promise<StoredParticipation> => {
    const participation = await Participations.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
    if (!participation) throw new Problem('participation-not-found');
    return participation;
  };

  const remove = async (participation: StoredParticipation): Promise<void> => {
    const events = [newEvent('challenge.left.v1', keyOf(participation), clock)];
    const found = await Participations.findOneAndUpdate(
      { _id: participation._id, deletedAt: null },
      withEvents({ $set: { deletedAt: new Date(clock.now()) }, $unset: removedFields }, events, clock),
    ).lean();
    if (found) outbox.send(participation._id);
  };

  const insert = async (caller: Caller, challengeId: number): Promise<StoredParticipation | undefined> => {
    const participation = {
      // The sequence has had this name since version 0.1.0, and ids must not begin again.
      _id: await ids.next('line'),
      key: participationKey(caller.id, challengeId),
      userId: caller.id,
      challengeId,
      completed: false,
      joinedAt: new Date(clock.now()),
    };
    const events = [newEvent('challenge.joined.v1', keyOf(participation), clock)];
    try {
      await outbox.create(participation, events);
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    return participation;
  };

  /**
   * The challenge of a participation from the replica. Calls the challenges service only for documents of older
   * versions, which lack the creator.
   */
  const challengeOf = async ({
    challengeId,
    creatorId,
  }: StoredParticipation): Promise<ChallengeDetails | undefined> =>
    (await challengeReplica.get(challengeId))?.details ??
    (creatorId ? undefined : await challengeReplica.findOrUndefined(challengeId));

  const completionOf = async (participation: StoredParticipation): Promise<Event[]> => {
    const { completedAt, points, checkedIn, flagReason } = participation;
    if (!participation.completed || !completedAt || !points) return [];
    const challenge = await challengeOf(participation);
    const creatorId = participation.creatorId || challenge?.creator.id;
    if (!creatorId) return [];
    const completion = {
      ...keyOf(participation),
      ...{ points, creatorId, completedAt: completedAt.toISOString() },
      ...(checkedIn && { checkedIn }),
      ...(flagReason && { flagReason }),
      ...(challenge && { challenge: { name: challenge.name, createdAt: challenge.createdAt } }),
    };
    return [newEvent('challenge.completed.v1', completion, clock)];
  };

  /**
   * Returns why a completion is implausible, compared with the others since a day before it. A completion made offline
   * may arrive after later ones. Takes one store command, and one more if there is another check-in to compare with.
   */
  const flagReasonOf = async (
    userId: number,
    { position }: ChallengeDetails,
    { at, checkedIn }: { at: Date; checkedIn: boolean },
  ): Promise<ImplausibilityReason | undefined> => {
    const since = new Date(at.getTime() - comparisonWindowMs);
    const completedFilter = { userId, completed: true, completedAt: { $gt: since } };
    const others = await Participations.find(completedFilter, {
      _id: 0,
      challengeId: 1,
      completedAt: 1,
      checkedIn: 1,
    })
      .sort({ completedAt: -1 })
      .limit(maxCompared)
      .lean();
    const gapMs = ({ completedAt }: { completedAt?: Date | null }) =>
      Math.abs(at.getTime() - (completedAt?.getTime() ?? 0));
    const nearest = checkedIn
      ? others
          .filter((participation) => participation.checkedIn)
          .sort((one, other) => gapMs(one) - gapMs(other))[0]
      : undefined;
    if (nearest?.completedAt) {
      const places = await challengeReplica.byIds([nearest.challengeId]);
      const from = { position: places.get(nearest.challengeId)?.position ?? null, at: nearest.completedAt };
      if (isTravelImplausible(from, { position, at })) return 'travel';
    }
    const moments = others.flatMap(({ completedAt }) => completedAt ?? []);
    return isPaceImplausible(moments, at) ? 'pace' : undefined;
  };

  /** Limits paging without an account. Throws `unauthenticated`. */
  const assertWithinVisitorLimit = async (challengeId: number, cursor: number): Promise<void> => {
    const before = { challengeId, _id: { $lte: cursor }, deletedAt: null };
    if ((await Participations.countDocuments(before, { limit: maxWithoutAccount })) < maxWithoutAccount)
      return;
    throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
  };

  return {
    find,

    async isShown(userId: number, { id: readerId }: Caller): Promise<boolean> {
      if (userId === readerId) return true;
      const blockers = await blocks.blockersAmong(userId, readerId);
      if (blockers.has(userId)) throw new Problem('user-not-found');
      if (blockers.has(readerId)) return false;
      return showsParticipation({ users: userReplica, friendships }, userId, readerId);
    },

    async list(
      { challengeId, userId, ids: people, completed, cursor, limit = defaultLimit }: ParticipationQuery,
      caller: Caller | undefined,
    ): Promise<Participation[]> {
      if (!challengeId && !caller) throw new Problem('unauthenticated');
      const from = Number(cursor) || 0;
      const hidden = challengeId ? [...(await blocks.hiddenFrom(caller?.id))] : [];
      const userFilter = { ...(userId && { $eq: userId }), ...(hidden.length && { $nin: hidden }) };
      const filter = challengeId
        ? {
            // By their keys, so that a store does not read all participants.
            ...(people
              ? { key: { $in: people.map((id) => participationKey(id, challengeId)) } }
              : { challengeId }),
            ...(Object.keys(userFilter).length && { userId: userFilter }),
          }
        : { userId: caller?.id };
      if (challengeId && cursor && !caller) await assertWithinVisitorLimit(challengeId, from);
      const completedFilter = completed === undefined ? {} : { completed };
      const pageAfter = (last: StoredParticipation | undefined, size: number) => {
        const after = last?._id ?? from;
        const page = after ? { _id: challengeId ? { $gt: after } : { $lt: after } } : {};
        return Participations.find({ ...filter, ...completedFilter, ...page, deletedAt: null }, { outbox: 0 })
          .sort({ _id: challengeId ? 1 : -1 })
          .limit(size)
          .lean();
      };
      const participations = await filterFullPage(pageAfter, limit, (found) => presentTo(caller, found));
      return caller ? participations : participations.map(withoutTimes);
    },

    async latestOf(
      { ids, limit = defaultCompletions }: CompletionQuery,
      caller: Caller,
    ): Promise<Participation[]> {
      const hidden = await blocks.hiddenFrom(caller.id);
      const visible = await visibleTo(
        caller.id,
        ids.filter((id) => !hidden.has(id)),
      );
      const completedFilter = { userId: { $in: visible }, completed: true, deletedAt: null };
      const participations = await Participations.find(completedFilter, { outbox: 0 })
        .sort({ completedAt: -1 })
        .limit(limit)
        .lean();
      return (await presentTo(caller, participations)).map(withoutPlace);
    },

    async join(
      challengeId: number,
      caller: Caller,
    ): Promise<{ participation: Participation; isNew: boolean }> {
      const { status } = await challengeReplica.find(challengeId);
      const joined =
        status === 'hidden' &&
        (await Participations.exists({ key: participationKey(caller.id, challengeId) }));
      if (status === 'hidden' && !joined) throw new Problem('challenge-not-found');
      await userReplica.ensureUser(caller);
      for (;;) {
        const inserted = await insert(caller, challengeId);
        if (inserted) {
          // Deleted concurrently: its participations may have been removed before this one was inserted.
          if (await challengeReplica.isDeleted(challengeId)) {
            await remove(inserted);
            throw new Problem('challenge-not-found');
          }
          return { participation: await presentOne(inserted), isNew: true };
        }
        const existing = await Participations.findOne(
          { key: participationKey(caller.id, challengeId) },
          { outbox: 0 },
        ).lean();
        if (existing) return { participation: await presentOne(existing), isNew: false };
      }
    },

    async setCompleted(
      participation: StoredParticipation,
      { completed, position, secondsAgo }: ParticipationUpdate,
    ): Promise<Participation> {
      if (participation.completed && !completed) throw new Problem('already-completed');
      if (participation.completed || !completed) return presentOne(participation);

      const challenge = await challengeReplica.find(participation.challengeId);
      const completedAt = completionTime(
        { secondsAgo, joinedAt: participation.joinedAt },
        new Date(clock.now()),
      );
      if (challenge.status === 'hidden') throw new Problem('challenge-hidden');
      requireOpen(challenge, completedAt);
      const locationCheck = checkLocation(challenge, position, completedAt);
      requireCheckIn(challenge, locationCheck);
      const checkedIn = locationCheck === 'near';
      await countCompleted(participation.userId);
      const { points, creator } = challenge;
      const day = localDate(challenge.timeZone, completedAt);
      const flagReason = await flagReasonOf(participation.userId, challenge, { at: completedAt, checkedIn });
      const fixedFields = {
        ...{ points, creatorId: creator.id },
        ...(checkedIn && { checkedIn }),
        ...(flagReason && { flagReason }),
      };
      const events = [
        newEvent(
          'challenge.completed.v1',
          {
            ...keyOf(participation),
            ...fixedFields,
            completedAt: completedAt.toISOString(),
            challenge: { name: challenge.name, createdAt: challenge.createdAt },
          },
          clock,
        ),
      ];
      const after = await Participations.findOneAndUpdate(
        { _id: participation._id, completed: false, deletedAt: null },
        withEvents({ $set: { completed: true, completedAt, day, ...fixedFields } }, events, clock),
        { returnDocument: 'after', projection: { outbox: 0 } },
      ).lean();
      if (after) outbox.send(participation._id);
      return presentOne(after ?? (await find(participation._id)));
    },

    async *snapshot(after: number) {
      const all = Participations.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({
        _id: 1,
      });
      for await (const participation of all.lean().cursor()) {
        const joined = newEvent('challenge.joined.v1', keyOf(participation), clock);
        yield { id: participation._id, events: [joined, ...(await completionOf(participation))] };
      }
    },

    leave: remove,

    async erase(userId: number): Promise<void> {
      await Participations.deleteMany({ userId });
      await Photos.deleteMany({ userId });
    },

    async removeAll(deletion: ReplicaEvent<'challenge.deleted.v1'>): Promise<void> {
      const { challengeId } = deletion.data;
      await challengeReplica.applyDeleted(deletion);
      await Participations.updateMany(
        { challengeId, deletedAt: null },
        { $set: { deletedAt: new Date(clock.now()) }, $unset: removedFields },
      );
      await Photos.deleteMany({ challengeId });
      await Participations.deleteMany({ challengeId, outbox: { $size: 0 } });
    },
  };
}

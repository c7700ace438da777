import type { ChallengeDetails, Event, ImplausibilityReason, Participation } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import type { ChallengeReplica, ReplicaEvent, UserReplica } from '@wayquest/platform/replicas';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import { whyClosed } from './completion-checks.ts';
import {
  participationKey,
  participationModel,
  photoModel,
  presentParticipation,
  type StoredParticipation,
} from './participation.model.ts';
import type { ChallengePictures } from './pictures.ts';
import type { Thanks } from './thanks.ts';
import type { VisibleParticipations } from './visible-participations.ts';

/** Fields that a deleted participation loses. */
const removedFields = { key: 1, note: 1, photo: 1, thanks: 1 } as const;

const keyOf = ({ _id, challengeId, userId }: StoredParticipation) => ({
  participationId: _id,
  challengeId,
  userId,
});

/** What a participation stores of its completion. */
export interface Completion {
  completedAt: Date;
  /** The challenge's points when it was completed. */
  points: number;
  creatorId: number;
  /** Whether the device was near the challenge. */
  checkedIn?: boolean | null | undefined;
  /** Why the completion is implausible. */
  flagReason?: ImplausibilityReason | null | undefined;
}

/** The operations that change participations. */
export interface Participations {
  /** Throws `participation-not-found`. */
  find(id: number): Promise<StoredParticipation>;
  /** What its user is shown. Throws `challenge-not-found`. */
  present(participation: StoredParticipation): Promise<Participation>;
  /**
   * Returns the existing participation if the caller joined before. Throws `challenge-not-found`, also for a hidden
   * challenge, and `already-ended`.
   */
  join(challengeId: number, caller: Caller): Promise<{ participation: Participation; isNew: boolean }>;
  /**
   * Stores a completion, unless the participation is completed or deleted meanwhile. Throws `participation-not-found` and
   * `challenge-not-found`.
   *
   * @param day - The local date at the challenge, as `2026-05-04`.
   */
  complete(
    participation: StoredParticipation,
    completion: Completion,
    day: string,
    challenge: ChallengeDetails,
  ): Promise<Participation>;
  /** A snapshot of all participations, completions and pictures of challenges. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  /** Throws `already-completed`: what was earned stays. Admins remove those, too. */
  leave(participation: StoredParticipation, caller: Caller): Promise<void>;
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
  visibleParticipations,
  pictures,
  thanks,
}: {
  kit: ServiceKit;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  visibleParticipations: VisibleParticipations;
  pictures: ChallengePictures;
  thanks: Thanks;
}): Participations {
  const Participations = participationModel(connection);
  const Photos = photoModel(connection);
  const outbox = outboxes.forModel(Participations, {
    // Together with the event, so that a crash in between leaves no photo.
    onRelay: async ({ name, data }) => {
      if (name !== 'challenge.left.v1') return;
      await pictures.refresh(data.challengeId);
      await Photos.deleteMany({ participationId: data.participationId });
      await thanks.removeOfParticipation(data.participationId);
    },
  });

  const present = async (participation: StoredParticipation): Promise<Participation> => {
    const { userId: readerId } = participation;
    const [nested] = await visibleParticipations.nest(readerId, [participation]);
    if (!nested) throw new Problem('challenge-not-found');
    return presentParticipation(participation, nested, { readerId, now: new Date(clock.now()) });
  };

  const find = async (id: number): Promise<StoredParticipation> => {
    const participation = await Participations.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
    if (!participation) throw new Problem('participation-not-found');
    return participation;
  };

  /** Returns whether there was one that the filter matches. */
  const remove = async (
    participation: StoredParticipation,
    filter: { completed?: false } = {},
  ): Promise<boolean> => {
    const events = [newEvent('challenge.left.v1', keyOf(participation), clock)];
    const found = await Participations.findOneAndUpdate(
      { ...filter, _id: participation._id, deletedAt: null },
      withEvents({ $set: { deletedAt: new Date(clock.now()) }, $unset: removedFields }, events, clock),
    ).lean();
    if (found) outbox.send(participation._id);
    return found !== null;
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

  /** The event of a completion. */
  const completedEvent = (
    participation: StoredParticipation,
    { completedAt, points, creatorId, checkedIn, flagReason }: Completion,
    challenge: Pick<ChallengeDetails, 'name' | 'createdAt'> | undefined,
  ): Event =>
    newEvent(
      'challenge.completed.v1',
      {
        ...keyOf(participation),
        ...{ points, creatorId, completedAt: completedAt.toISOString() },
        ...(checkedIn && { checkedIn }),
        ...(flagReason && { flagReason }),
        ...(challenge && { challenge: { name: challenge.name, createdAt: challenge.createdAt } }),
      },
      clock,
    );

  const completionOf = async (participation: StoredParticipation): Promise<Event[]> => {
    const { completedAt, points, checkedIn, flagReason } = participation;
    if (!participation.completed || !completedAt || !points) return [];
    const challenge = await challengeOf(participation);
    const creatorId = participation.creatorId || challenge?.creator.id;
    if (!creatorId) return [];
    return [
      completedEvent(participation, { completedAt, points, creatorId, checkedIn, flagReason }, challenge),
    ];
  };

  return {
    find,
    present,

    async join(
      challengeId: number,
      caller: Caller,
    ): Promise<{ participation: Participation; isNew: boolean }> {
      const closed = whyClosed(await challengeReplica.find(challengeId), new Date(clock.now()));
      if (
        closed &&
        closed.code !== 'not-started' &&
        !(await Participations.exists({ key: participationKey(caller.id, challengeId) }))
      )
        throw closed.code === 'challenge-hidden' ? new Problem('challenge-not-found') : closed;
      await userReplica.ensureUser(caller);
      for (;;) {
        const inserted = await insert(caller, challengeId);
        if (inserted) {
          // Deleted concurrently: its participations may have been removed before this one was inserted.
          if (await challengeReplica.isDeleted(challengeId)) {
            await remove(inserted);
            throw new Problem('challenge-not-found');
          }
          return { participation: await present(inserted), isNew: true };
        }
        const existing = await Participations.findOne(
          { key: participationKey(caller.id, challengeId) },
          { outbox: 0 },
        ).lean();
        if (existing) return { participation: await present(existing), isNew: false };
      }
    },

    async complete(
      participation: StoredParticipation,
      completion: Completion,
      day: string,
      challenge: ChallengeDetails,
    ): Promise<Participation> {
      const events = [completedEvent(participation, completion, challenge)];
      const after = await Participations.findOneAndUpdate(
        { _id: participation._id, completed: false, deletedAt: null },
        withEvents({ $set: { completed: true, day, ...completion } }, events, clock),
        { returnDocument: 'after', projection: { outbox: 0 } },
      ).lean();
      if (after) outbox.send(participation._id);
      return present(after ?? (await find(participation._id)));
    },

    async *snapshot(after: number) {
      const all = Participations.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({
        _id: 1,
      });
      for await (const participation of all.lean().cursor()) {
        const joined = newEvent('challenge.joined.v1', keyOf(participation), clock);
        const completed = await completionOf(participation);
        const pictured = await pictures.snapshotOf(participation);
        yield { id: participation._id, events: [joined, ...completed, ...pictured] };
      }
    },

    async leave(participation: StoredParticipation, { admin }: Caller): Promise<void> {
      if (await remove(participation, admin ? {} : { completed: false })) return;
      // Left meanwhile, or completed.
      if (await Participations.exists({ _id: participation._id, deletedAt: null }))
        throw new Problem('already-completed', {
          detail: "You've completed this challenge, so it stays. You can delete your note and photo.",
        });
    },

    async erase(userId: number): Promise<void> {
      await Participations.deleteMany({ userId });
      await pictures.refreshOf(userId);
      await Photos.deleteMany({ userId });
    },

    async removeAll(deletion: ReplicaEvent<'challenge.deleted.v1'>): Promise<void> {
      const { challengeId } = deletion.data;
      await challengeReplica.applyDeleted(deletion);
      await Participations.updateMany(
        { challengeId, deletedAt: null },
        { $set: { deletedAt: new Date(clock.now()) }, $unset: removedFields },
      );
      await pictures.remove(challengeId);
      await thanks.removeOfChallenge(challengeId);
      await Photos.deleteMany({ challengeId });
      await Participations.deleteMany({ challengeId, outbox: { $size: 0 } });
    },
  };
}

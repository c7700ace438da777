import {
  type ChallengeDetails,
  type ImplausibilityReason,
  localDate,
  type OperationRequest,
  type Operations,
  type Participation,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { ChallengeReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import {
  checkLocation,
  comparisonWindowMs,
  completionTime,
  isPaceImplausible,
  isTravelImplausible,
  requireCheckIn,
  whyClosed,
} from './completion-checks.ts';
import { participationModel, type StoredParticipation } from './participation.model.ts';
import type { Participations } from './participations.ts';

type ParticipationUpdate = OperationRequest<Operations['updateParticipation']>['body'];

/** Maximum number of earlier completions that a new one is compared with. */
const maxCompared = 100;

/** The operation that completes a participation. */
export interface Completions {
  /**
   * Completes a participation on a day of the challenge; idempotent. A position is used for the check-in and not
   * stored. Throws `participation-not-found`, `not-started`, `already-ended`, `completed-too-long-ago`, `challenge-hidden`,
   * `check-in-required`, `already-completed` for an attempt to undo it, and `too-many-requests`.
   */
  setCompleted(participation: StoredParticipation, update: ParticipationUpdate): Promise<Participation>;
}

/** Creates the completion of participations. */
export function createCompletions({
  kit: { connection, clock },
  challengeReplica,
  participations,
  countCompleted,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  challengeReplica: ChallengeReplica;
  participations: Pick<Participations, 'complete' | 'present'>;
  /** Counts a completion. Throws `too-many-requests`. */
  countCompleted: (userId: number) => Promise<void>;
}): Completions {
  const Participations = participationModel(connection);

  /**
   * Returns why a completion is implausible, compared with the others since a day before it. A completion made offline
   * may arrive after later ones. Takes one store command, and one more if there is another check-in to compare with.
   */
  const flagReasonOf = async (
    userId: number,
    { position, area }: ChallengeDetails,
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
      const place = places.get(nearest.challengeId);
      const from = { position: place?.position ?? null, area: place?.area, at: nearest.completedAt };
      if (isTravelImplausible(from, { position, area, at })) return 'travel';
    }
    const moments = others.flatMap(({ completedAt }) => completedAt ?? []);
    return isPaceImplausible(moments, at) ? 'pace' : undefined;
  };

  return {
    async setCompleted(
      participation: StoredParticipation,
      { completed, position, secondsAgo }: ParticipationUpdate,
    ): Promise<Participation> {
      if (participation.completed && !completed) throw new Problem('already-completed');
      if (participation.completed || !completed) return participations.present(participation);

      const challenge = await challengeReplica.find(participation.challengeId);
      const completedAt = completionTime(
        { secondsAgo, joinedAt: participation.joinedAt },
        new Date(clock.now()),
      );
      const closed = whyClosed(challenge, completedAt);
      if (closed) throw closed;
      const locationCheck = checkLocation(challenge, position, secondsAgo);
      requireCheckIn(challenge, locationCheck);
      const checkedIn = locationCheck === 'near';
      await countCompleted(participation.userId);
      const day = localDate(challenge.timeZone, completedAt);
      const flagReason = await flagReasonOf(participation.userId, challenge, { at: completedAt, checkedIn });
      const completion = {
        ...{ completedAt, points: challenge.points, creatorId: challenge.creator.id },
        ...(checkedIn && { checkedIn }),
        ...(flagReason && { flagReason }),
      };
      return participations.complete(participation, completion, day, challenge);
    },
  };
}

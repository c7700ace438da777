import type { Award, Client, EventData, Me } from '@wayquest/contracts';
import {
  type Caller,
  isDuplicateKey,
  newEvent,
  Problem,
  type ServiceKit,
  withEvents,
} from '@wayquest/platform';
import type { z } from 'zod';
import { type AwardDocument, awardId, awardModel } from './award.model.ts';
import { profileModel } from './profile.model.ts';
import { presentMe } from './profile.presenter.ts';
import type { Profiles } from './profiles.ts';

type Completion = Omit<EventData<'challenge.completed.v1'>, 'lineId'>;

export interface PointsOptions {
  /** How many challenges of one's own earn points in a day (UTC). */
  ownPerDay: number;
}

/** Points: each completed challenge is paid once for ever, whether the event or the person's call comes first. */
export function createPoints(
  { connection, outbox }: ServiceKit,
  profiles: Profiles,
  participation: Client,
  { ownPerDay }: PointsOptions,
) {
  const Awards = awardModel(connection);
  const Profiles = profileModel(connection);

  /** Inserts; answers false when the ledger holds its id, or its place of the day, already. */
  const insert = async (award: AwardDocument): Promise<boolean> => {
    try {
      await Awards.create(award);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /** Unique keys, not counts, keep the ledger right when calls and events arrive at the same moment. */
  const enter = async ({
    userId,
    challengeId,
    points,
    creatorId,
    completedAt,
  }: Completion): Promise<AwardDocument> => {
    const award = { _id: awardId(userId, challengeId), userId, challengeId, points, awardedAt: new Date() };
    if (creatorId !== userId) {
      await insert(award);
      return Awards.findById(award._id).lean().orFail();
    }
    const day = completedAt.slice(0, 10);
    for (let place = 1; place <= ownPerDay; place++) {
      if (await insert({ ...award, ownPlace: `${userId}:${day}:${place}` })) return award;
      const entered = await Awards.findById(award._id).lean();
      if (entered) return entered;
    }
    await insert({ ...award, points: 0 });
    return Awards.findById(award._id).lean().orFail();
  };

  /**
   * Brings a profile up to the sum of its ledger. The sum only grows, so the greater one is the newer one, and
   * doing it twice, or again after a crash, changes nothing.
   */
  const applyLedger = async (
    userId: number,
    { challengeId, points: awarded }: AwardDocument,
  ): Promise<void> => {
    const [sum] = await Awards.aggregate<{ points: number }>([
      { $match: { userId } },
      { $group: { _id: null, points: { $sum: '$points' } } },
    ]);
    const points = sum?.points ?? 0;
    const events = [newEvent('points.awarded.v1', { userId, challengeId, awarded, points })];
    const { matchedCount } = await Profiles.updateOne(
      { _id: userId, points: { $lt: points } },
      withEvents({ $set: { points } }, events),
    );
    if (matchedCount) outbox.send(Profiles, userId, events);
    else if (!(await Profiles.exists({ _id: userId }))) throw new Problem('user-not-found');
  };

  const award = async (completion: Completion): Promise<AwardDocument> => {
    const entered = await enter(completion);
    await applyLedger(completion.userId, entered);
    return entered;
  };

  /** Asks participation, since its event may still be on its way. Throws `not-completed`. */
  const completionOf = async (challengeId: number, { id: userId }: Caller): Promise<Completion> => {
    const lines = await participation
      .listLines({ query: { challengeId, userId } })
      .catch((error: unknown) => {
        throw new Problem('service-unavailable', { cause: error });
      });
    const line = lines[0];
    if (!line?.completedAt) throw new Problem('not-completed');
    const { points, completedAt, challenge } = line;
    return { userId, challengeId, points, completedAt, creatorId: challenge.creator.id };
  };

  const presentAward = ({ challengeId, points }: AwardDocument): z.input<typeof Award> => ({
    challengeId,
    points,
    ...(points === 0 && {
      notice: `Done! It earns nothing this time: ${ownPerDay} challenges of your own count each day.`,
    }),
  });

  return {
    award,

    /** The caller's claim for a challenge. Throws `not-completed`. */
    async claim(challengeId: number, caller: Caller): Promise<Me & { award: z.input<typeof Award> }> {
      await profiles.ofCaller(caller);
      const entered = await Awards.findById(awardId(caller.id, challengeId)).lean();
      const awarded = entered ?? (await award(await completionOf(challengeId, caller)));
      if (entered) await applyLedger(caller.id, entered);
      return { ...presentMe(await profiles.ofCaller(caller)), award: presentAward(awarded) };
    },
  };
}

export type Points = ReturnType<typeof createPoints>;

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Award, Client, Event, EventData, Me } from '@wayquest/contracts';
import { newEvent, type Outbox, withEvents } from '@wayquest/platform/bus';
import { type Caller, Problem } from '@wayquest/platform/http';
import { groupedBy } from '@wayquest/platform/process';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, untilWon } from '@wayquest/platform/store';
import type { z } from 'zod';
import { type AwardDocument, awardId, awardModel } from './award.model.ts';
import type { Ledger } from './ledger.ts';
import { monthOf } from './month.model.ts';
import type { Months } from './months.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';
import { presentMe } from './profile.presenter.ts';
import type { Profiles } from './profiles.ts';

type Completion = Omit<EventData<'challenge.completed.v1'>, 'lineId'>;

/** Somebody's points before and after they were added up. */
type Sum = Required<Pick<EventData<'points.awarded.v1'>, 'points' | 'pointsBefore'>>;

/** An award that is to be added to its profile, and told of. */
interface Raise {
  userId: number;
  challengeId: number;
  awardedAt: Date;
  tell: (sum: Sum) => Event;
}

export interface PointsDeps {
  kit: Pick<ServiceKit, 'connection'>;
  outbox: Outbox<ProfileDocument>;
  profiles: Profiles;
  ledger: Ledger;
  months: Months;
  participation: Client;
  /** How many challenges of one's own earn points in a day (UTC). */
  ownPerDay: number;
}

/** Points: each completed challenge is paid once for ever, whether the event or the person's call comes first. */
export function createPoints({
  kit: { connection },
  outbox,
  profiles,
  ledger,
  months,
  participation,
  ownPerDay,
}: PointsDeps) {
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
   * Brings a profile up to the sum of its ledger, and tells of the awards. The sum only grows, so the greater one is the
   * newer one, and doing it twice changes nothing; after a crash it may be told twice. A profile that is not here yet
   * takes its points from the ledger when it comes. The sums of their months come first, and likewise.
   */
  const raise = groupedBy<number, Raise, void>(async (asked) => {
    const userId = asked[0]?.item.userId ?? 0;
    for (const month of new Set(asked.map(({ item }) => monthOf(item.awardedAt))))
      await months.raise(userId, month);
    const isTold = await untilWon(async () => {
      const profile = await Profiles.findById(userId, { points: 1 }).lean();
      if (!profile) return false;
      const before = profile.points;
      const points = Math.max(before, await ledger.pointsOf(userId));
      const { matchedCount } = await Profiles.updateOne(
        { _id: userId, points: before },
        withEvents(
          { $set: { points } },
          asked.map(({ item }, index) => item.tell({ points, pointsBefore: index ? points : before })),
        ),
      );
      // Else another award has been added meanwhile, and this total might be told after a greater one.
      return matchedCount ? true : undefined;
    });
    if (isTold) {
      outbox.send(userId);
      const told = asked.map(({ item }) => awardId(userId, item.challengeId));
      await Awards.updateMany({ _id: { $in: told } }, { $set: { toldAt: new Date() } });
    }
    for (const { resolve } of asked) resolve();
  });

  const apply = async (award: AwardDocument): Promise<void> => {
    const { userId, challengeId, points: awarded, awardedAt, toldAt } = award;
    if (toldAt || awarded === 0) return;
    // Whoever writes it: what it tells carries the id of the call that it comes from.
    const tell = AsyncLocalStorage.bind((sum: Sum) =>
      newEvent('points.awarded.v1', { userId, challengeId, awarded, ...sum }),
    );
    await raise(userId, { userId, challengeId, awardedAt, tell });
  };

  const award = async (completion: Completion): Promise<AwardDocument> => {
    const entered = await enter(completion);
    await apply(entered);
    return entered;
  };

  /** Asks participation, since its event may still be on its way. Throws `not-completed`. */
  const completionOf = async (challengeId: number, { id: userId, token }: Caller): Promise<Completion> => {
    const lines = await participation
      .listLines({ query: { challengeId, userId } }, { token })
      .catch((error: unknown) => {
        throw new Problem('service-unavailable', { cause: error });
      });
    const line = lines[0];
    if (!line?.completedAt) throw new Problem('not-completed');
    const { points, completedAt, challenge } = line;
    return { userId, challengeId, points, completedAt, creatorId: challenge.creator.id };
  };

  const presentAward = ({ challengeId, points, awardedAt }: AwardDocument): z.input<typeof Award> => ({
    challengeId,
    points,
    awardedAt: awardedAt.toISOString(),
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
      if (entered) await apply(entered);
      return { ...presentMe(await profiles.ofCaller(caller)), award: presentAward(awarded) };
    },
  };
}

export type Points = ReturnType<typeof createPoints>;

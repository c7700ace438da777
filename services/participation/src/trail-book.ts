import {
  type Audience,
  type ChallengeDetails,
  localDate,
  maxStamps,
  type OperationRequest,
  type Operations,
  type PlaceCategory,
  placeCategoryOf,
  type Stamp,
  type TrailBook,
  type TrailPlace,
  townKey,
} from '@wayquest/contracts';
import type { ChallengeReplica, FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { participationModel, type StoredParticipation } from './participation.model.ts';

/** Who may see the map of a user's completions. There is no document for the default. */
export interface TrailMapDocument {
  /** The user's id. */
  _id: number;
  visibility: Audience;
}

const schema = new Schema<TrailMapDocument>({
  _id: { type: Number, required: true },
  visibility: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

export const trailMapModel = (connection: Connection) =>
  connection.model<TrailMapDocument>('TrailMap', schema, 'trail_maps');

/** Visibility of the maps of users' completions; by default only their owners see them. */
export interface TrailMaps {
  setVisibility(userId: number, visibility: Audience): Promise<{ visibility: Audience }>;
  erase(userId: number): Promise<void>;
  /** Returns undefined if the reader may not see the map; only its owner gets the setting. */
  visibleTo(readerId: number, userId: number): Promise<{ visibility?: Audience } | undefined>;
}

/** Creates the store of who may see the map of a person's completed challenges. */
export function createTrailMaps({
  kit: { connection },
  friendships,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  friendships: Pick<FriendshipReplica, 'areFriends'>;
}): TrailMaps {
  const TrailMaps = trailMapModel(connection);

  return {
    async setVisibility(userId: number, visibility: Audience): Promise<{ visibility: Audience }> {
      await upsert(TrailMaps, { _id: userId }, { $set: { visibility } });
      return { visibility };
    },

    async erase(userId: number): Promise<void> {
      await TrailMaps.deleteOne({ _id: userId });
    },

    async visibleTo(readerId: number, userId: number): Promise<{ visibility?: Audience } | undefined> {
      const visibility = (await TrailMaps.findById(userId).lean())?.visibility ?? 'me';
      if (readerId === userId) return { visibility };
      const isAllowed =
        visibility === 'everybody' ||
        (visibility === 'friends' && (await friendships.areFriends(userId, readerId)));
      return isAllowed ? {} : undefined;
    },
  };
}

const day = 86_400_000;
const week = 7 * day;
/** The first Monday since the epoch, 1970-01-05. */
const firstMonday = 4 * day;

/** Grace weeks per month. */
const graceWeeksPerMonth = 2;

/** The number of the week (from Monday) of a UTC time or of a local date. */
const weekOf = (moment: number): number => Math.floor((moment - firstMonday) / week);

/** A week belongs to the month of its Thursday, as in ISO weeks. */
const monthOf = (number: number): string =>
  new Date(firstMonday + number * week + 3 * day).toISOString().slice(0, 7);

/**
 * Returns the weekly streak up to now, from the dates (YYYY-MM-DD) of completions. Two weeks a month are grace weeks:
 * they neither end the streak nor count. The current week is not missed yet.
 */
export function weeklyStreak(days: string[], now: Date): number {
  const activeWeeks = new Set(days.map((day) => weekOf(Date.parse(day))));
  const first = Math.min(...activeWeeks);
  // East of Greenwich the next week may have begun.
  const current = Math.max(weekOf(now.getTime()), ...activeWeeks);
  const graceWeeksUsed = new Map<string, number>();
  let count = 0;
  for (let number = current; number >= first; number--) {
    if (activeWeeks.has(number)) {
      count += 1;
    } else if (number !== current) {
      const month = monthOf(number);
      const used = (graceWeeksUsed.get(month) ?? 0) + 1;
      if (used > graceWeeksPerMonth) break;
      graceWeeksUsed.set(month, used);
    }
  }
  return count;
}

type TrailQuery = OperationRequest<Operations['getTrailBook']>['query'];
/** A completed participation with its challenge. */
interface CompletedParticipation {
  participation: StoredParticipation;
  completedAt: Date;
  challenge: ChallengeDetails;
}

/** Page size without a `limit`. */
export const defaultStamps = 24;

/** The response for readers who may not see the book. */
export const hiddenTrailBook: TrailBook = {
  ...{ stamps: [], total: 0, own: 0, placeCategories: [], towns: 0, weeklyStreak: 0 },
  hidden: true,
};

export const cursorAfter = ({ completedAt, participationId }: Stamp): string =>
  `${completedAt}~${participationId}`;

const presentStamp = ({ participation, completedAt, challenge }: CompletedParticipation): Stamp => ({
  participationId: participation._id,
  challengeId: participation.challengeId,
  name: challenge.name,
  ...(challenge.template && { template: challenge.template }),
  locationName: challenge.locationName,
  city: challenge.city,
  placeCategory: placeCategoryOf(challenge),
  points: participation.points ?? challenge.points,
  completedAt: completedAt.toISOString(),
  day: participation.day ?? localDate(challenge.timeZone, completedAt),
  own: (participation.creatorId ?? challenge.creator.id) === participation.userId,
});

/** Omits challenges without a position. */
const placesOf = (completed: CompletedParticipation[]): TrailPlace[] =>
  completed.flatMap(({ challenge: { id: challengeId, name, template, position } }) =>
    position ? [{ challengeId, name, ...(template && { template }), position }] : [],
  );

function countPlaceCategories(stamps: Stamp[]): TrailBook['placeCategories'] {
  const counts = new Map<PlaceCategory, number>();
  for (const stamp of stamps) {
    const placeCategory = placeCategoryOf(stamp);
    counts.set(placeCategory, (counts.get(placeCategory) ?? 0) + 1);
  }
  return [...counts]
    .map(([placeCategory, count]) => ({ placeCategory, count }))
    .sort((one, other) => other.count - one.count);
}

/** Whether a stamp comes after the cursor. */
const isAfter =
  (cursor: string) =>
  ({ completedAt, participationId }: Stamp): boolean => {
    const [moment = '', id] = cursor.split('~');
    return completedAt < moment || (completedAt === moment && participationId < Number(id));
  };

/** Trail books: a user's completions of challenges that they have not left. */
export interface TrailBooks {
  /**
   * Takes two commands for any page, since totals are computed on reading; the first page takes one or two more, for
   * the map.
   */
  of(userId: number, query: TrailQuery, readerId: number): Promise<TrailBook>;
}

/** Creates the summary of what a person completed, computed when it is read. */
export function createTrailBooks({
  kit: { connection, clock },
  challengeReplica,
  maps,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  challengeReplica: ChallengeReplica;
  maps: Pick<TrailMaps, 'visibleTo'>;
}): TrailBooks {
  const Participations = participationModel(connection);

  return {
    async of(
      userId: number,
      { cursor, limit = defaultStamps }: TrailQuery,
      readerId: number,
    ): Promise<TrailBook> {
      const map = cursor ? undefined : await maps.visibleTo(readerId, userId);
      const completedFilter = { userId, completed: true, completedAt: { $ne: null }, deletedAt: null };
      const participations = await Participations.find(completedFilter, { outbox: 0 })
        .sort({ completedAt: -1, _id: -1 })
        .limit(maxStamps)
        .lean();
      const challenges = await challengeReplica.byIds(participations.map(({ challengeId }) => challengeId));
      const completed = participations.flatMap((participation) => {
        const challenge = challenges.get(participation.challengeId);
        const isShown = challenge?.status !== 'hidden' || readerId === userId;
        return challenge && isShown && participation.completedAt
          ? [{ participation, completedAt: participation.completedAt, challenge }]
          : [];
      });
      const stamps = completed.map(presentStamp);
      return {
        stamps: stamps.filter(cursor ? isAfter(cursor) : () => true).slice(0, limit),
        total: stamps.length,
        own: stamps.filter(({ own }) => own).length,
        placeCategories: countPlaceCategories(stamps),
        towns: new Set(completed.map(({ challenge }) => townKey(challenge)).filter(Boolean)).size,
        weeklyStreak: weeklyStreak(
          stamps.map(({ day }) => day),
          new Date(clock.now()),
        ),
        ...(map && { map: { ...map, places: placesOf(completed) } }),
      };
    },
  };
}

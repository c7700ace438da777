import {
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
import type { ChallengeReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { participationModel } from './participation.model.ts';
import type { StoredParticipation } from './participation.presenter.ts';
import type { TrailMaps } from './trail-maps.ts';
import { weeklyStreak } from './weeks.ts';

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
  kept: true,
};

export const cursorAfter = ({ completedAt, participationId }: Stamp): string =>
  `${completedAt}~${participationId}`;

const presentStamp = ({ participation, completedAt, challenge }: CompletedParticipation): Stamp => ({
  participationId: participation._id,
  challengeId: participation.challengeId,
  name: challenge.name,
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
  completed.flatMap(({ challenge: { id: challengeId, name, position } }) =>
    position ? [{ challengeId, name, position }] : [],
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

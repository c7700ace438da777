import {
  type Challenge,
  distanceInMeters,
  type PlaceCategory,
  type Position,
  placeCategoryOf,
  type Suggestion,
} from '@wayquest/contracts';
import { nearbyRadius } from '../../entities/challenges/location.ts';

interface Candidates {
  challenges: readonly Challenge[];
  suggestions: readonly Suggestion[];
  /** The kinds of place that the person likes; none for all. */
  liked: readonly PlaceCategory[];
  from: Position | null;
}

interface FirstThree {
  challenges: Challenge[];
  suggestions: Suggestion[];
  /** Whether the person likes some kinds of place, and none of these is of them. */
  missesInterests: boolean;
}

const isNear = ({ position, area }: Challenge, from: Position | null): boolean =>
  !from ||
  (position !== null && distanceInMeters(from, position) <= Math.max(nearbyRadius, area?.radiusMeters ?? 0));

/**
 * Chooses three for a new member: of the kinds that they like before others, and challenges, with participants before without, before
 * suggestions. Challenges farther away only fill up.
 */
export function firstThree({ challenges, suggestions, liked, from }: Candidates): FirstThree {
  const isLiked = (one: Challenge | Suggestion) => liked.includes(placeCategoryOf(one));
  const withPeopleFirst = challenges.toSorted(
    (a, b) => Number(b.participants > 0) - Number(a.participants > 0),
  );
  const near = withPeopleFirst.filter((challenge) => isNear(challenge, from));
  const nearby = [...near, ...suggestions];
  const three = [...new Set([...nearby.filter(isLiked), ...nearby, ...challenges])].slice(0, 3);
  return {
    challenges: withPeopleFirst.filter((one) => three.includes(one)),
    suggestions: suggestions.filter((one) => three.includes(one)),
    missesInterests: liked.length > 0 && !three.some(isLiked),
  };
}

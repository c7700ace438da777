import type { Challenge, ChallengeCluster, Place } from '@wayquest/contracts';
import type { Pin } from './map/map.ts';

/** A challenge's pin; it tells whether the person has completed it. One without a place has none. */
export function challengePin({ id, name, difficulty, position }: Challenge, completed: boolean): Pin[] {
  if (!position) return [];
  const kind = completed ? 'completed' : 'challenge';
  return [{ id: `challenge:${id}`, kind, position, label: `${name}, ${difficulty}` }];
}

/** What the server counted where it holds more than it can show one by one. */
export const clusterPin = ({ position, count, city, bbox }: ChallengeCluster): Pin => ({
  id: `counted:${bbox.west},${bbox.south}`,
  kind: 'cluster',
  position,
  count,
  label: `${count} ${count === 1 ? 'challenge' : 'challenges'}${city && ` around ${city}`}. Zoom in`,
});

export const placePin = ({ id, name, position }: Place): Pin => ({
  id: `place:${id}`,
  kind: 'place',
  position,
  label: name,
});

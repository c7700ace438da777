import type { Challenge, ChallengeCluster, Place } from '@wayquest/contracts';
import type { Pin } from './map/map.ts';
import { typeWords } from './type-words.ts';

const kindOf = (completed: boolean) => (completed ? 'completed' : 'challenge');
const said = (label: string, completed: boolean) => (completed ? `${label}, completed` : label);

/** A challenge's pin; it tells whether the person has completed it. One without a place has none. */
export function challengePin({ id, name, difficulty, position }: Challenge, completed: boolean): Pin[] {
  if (!position) return [];
  const label = said(`${name}, ${difficulty}`, completed);
  return [{ id: `challenge:${id}`, kind: kindOf(completed), position, label }];
}

/** What the server counted where it holds more than it can show one by one; one alone is a challenge. */
export function clusterPin(
  { position, count, newest, city, bbox }: ChallengeCluster,
  completed: ReadonlySet<number>,
): Pin {
  const around = city && ` around ${city}`;
  if (count === 1) {
    const done = completed.has(newest);
    return {
      id: `challenge:${newest}`,
      kind: kindOf(done),
      position,
      label: said(`A challenge${around}`, done),
    };
  }
  return {
    id: `counted:${bbox.west},${bbox.south}`,
    kind: 'cluster',
    position,
    count,
    label: `${count} challenges${around}. Zoom in`,
  };
}

export const placePin = ({ id, name, type, position }: Place): Pin => ({
  id: `place:${id}`,
  kind: 'place',
  position,
  label: type ? `${name}, ${typeWords(type)}` : name,
});

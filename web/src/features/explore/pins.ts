import type { Challenge, ChallengeCluster, Place } from '@wayquest/contracts';
import { sayOfChallenge } from '../../entities/challenges/words.ts';
import type { Pin } from './map/map.ts';
import { typeWords } from './type-words.ts';
import type { say } from './words.ts';

type Say = typeof say;

const kindOf = (completed: boolean) => (completed ? 'completed' : 'challenge');
const said = (t: Say, pin: string, completed: boolean) => (completed ? t('pinCompleted', { pin }) : pin);

/** A challenge's pin; it tells whether the person has completed it. One without a place has none. */
export function challengePin(
  t: Say,
  { id, name, difficulty, position }: Challenge,
  completed: boolean,
): Pin[] {
  if (!position) return [];
  const label = said(t, t('pinOf', { name, difficulty: sayOfChallenge(difficulty) }), completed);
  return [{ id: `challenge:${id}`, kind: kindOf(completed), position, label }];
}

/** What the server counted where it holds more than it can show one by one; one alone is a challenge. */
export function clusterPin(
  t: Say,
  { position, count, newest, city, bbox }: ChallengeCluster,
  completed: ReadonlySet<number>,
): Pin {
  if (count === 1) {
    const done = completed.has(newest);
    return {
      id: `challenge:${newest}`,
      kind: kindOf(done),
      position,
      label: said(t, city ? t('onePinAround', { city }) : t('onePin'), done),
    };
  }
  return {
    id: `counted:${bbox.west},${bbox.south}`,
    kind: 'cluster',
    position,
    count,
    label: city ? t('manyPinsAround', { count, city }) : t('manyPins', { count }),
  };
}

export const placePin = (t: Say, { id, name, type, position }: Place): Pin => ({
  id: `place:${id}`,
  kind: 'place',
  position,
  label: type ? t('placePin', { name, type: t(typeWords[type].name) }) : name,
});

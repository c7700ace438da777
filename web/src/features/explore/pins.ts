import type { Challenge, ChallengeCluster, Place } from '@wayquest/contracts';
import { phaseOf } from '../../entities/challenges/dates.ts';
import { translateChallenge } from '../../entities/challenges/translations.ts';
import type { Pin } from './map/map.ts';
import type { PinArt } from './pin-art.ts';
import { type translate, typeWords } from './translations.ts';

type Translate = typeof translate;
type State = NonNullable<Pin['state']>;

/** The person's participations: whether each joined challenge is completed. */
export type OwnParticipations = ReadonlyMap<number, { completed: boolean }>;

const stateOf = (participations: OwnParticipations, id: number): State => {
  const part = participations.get(id);
  if (!part) return 'open';
  return part.completed ? 'completed' : 'joined';
};

const stateWords = { joined: 'pinJoined', completed: 'pinCompleted', ended: 'pinEnded' } as const;
const labelIn = (t: Translate, pin: string, state: State) =>
  state === 'open' ? pin : t(stateWords[state], { pin });

/**
 * The pin of a challenge, which shows whether the person joined it and whether it has ended; none without a position.
 */
export function challengePin(
  t: Translate,
  challenge: Challenge,
  participations: OwnParticipations,
  art: PinArt | undefined,
): Pin[] {
  const { id, name, difficulty, position } = challenge;
  if (!position) return [];
  const part = stateOf(participations, id);
  const state = part !== 'completed' && phaseOf(challenge) === 'ended' ? 'ended' : part;
  const label = labelIn(t, t('pinOf', { name, difficulty: translateChallenge(difficulty) }), state);
  const glyph = art && { glyph: art.ofChallenge(challenge) };
  return [{ id: `challenge:${id}`, kind: 'challenge', state, position, label, ...glyph }];
}

/** The pin of a cluster from the server; a cluster of one is a challenge. */
export function clusterPin(
  t: Translate,
  { position, count, newest, city, placeCategory, bbox }: ChallengeCluster,
  participations: OwnParticipations,
  art: PinArt | undefined,
): Pin {
  if (count === 1) {
    const state = stateOf(participations, newest);
    return {
      id: `challenge:${newest}`,
      kind: 'challenge',
      state,
      position,
      label: labelIn(t, city ? t('onePinAround', { city }) : t('onePin'), state),
      ...(art && placeCategory && { glyph: art.ofPlaceCategory(placeCategory) }),
    };
  }
  return {
    id: `counted:${newest}`,
    kind: 'cluster',
    position,
    count,
    box: bbox,
    label: city ? t('manyPinsAround', { count, city }) : t('manyPins', { count }),
  };
}

/** The pin of a place. */
export function placePin(t: Translate, place: Place, art: PinArt | undefined): Pin {
  const { id, name, type, position } = place;
  const glyph = art?.ofPlace(place);
  return {
    id: `place:${id}`,
    kind: 'place',
    position,
    label: type ? t('placePin', { name, type: t(typeWords[type].name) }) : name,
    ...(glyph && { glyph }),
  };
}

import type { Challenge, ChallengeCluster, Place } from '@wayquest/contracts';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { phaseOf } from '../../entities/challenges/dates.ts';
import { nameOf } from '../../entities/challenges/texts.ts';
import { translateChallenge } from '../../entities/challenges/translations.ts';
import { selectOwnByChallenge } from '../../entities/participations/slice.ts';
import { loadPart } from '../../shared/lib/load-part.ts';
import { grow } from './map/boxes.ts';
import { clusterPins, mergeOverlapping } from './map/clusters.ts';
import type { Pin, View } from './map/map.ts';
import type { PinArt } from './pin-art.ts';
import { selectClusters, selectFound } from './slice.ts';
import { type translate, typeWords, useTranslations } from './translations.ts';
import type { Selection } from './use-selection.ts';

type Translate = typeof translate;
type State = NonNullable<Pin['state']>;

/** The person's participations: whether each joined challenge is completed. */
type OwnParticipations = ReadonlyMap<number, { completed: boolean }>;

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
  const { id, difficulty, position } = challenge;
  if (!position) return [];
  const part = stateOf(participations, id);
  const state = part !== 'completed' && phaseOf(challenge) === 'ended' ? 'ended' : part;
  const label = labelIn(
    t,
    t('pinOf', { name: nameOf(challenge), difficulty: translateChallenge(difficulty) }),
    state,
  );
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

/** Pins are rendered before they are visible. */
const margin = 0.5;

/** The icons of kinds of places. Pins are shown without them until they are loaded. */
function usePinArt(): PinArt | undefined {
  const [art, setArt] = useState<PinArt>();
  useEffect(() => {
    let isCurrent = true;
    void loadPart(() => import('./pin-art.ts'), true).then(({ pinArt }) => isCurrent && setArt(pinArt));
    return () => {
      isCurrent = false;
    };
  }, []);
  return art;
}

/** Returns all pins: challenges, clusters, places, and the selected one. */
export function usePins(view: View | null, places: Place[], selection: Selection | null) {
  const t = useTranslations();
  const challenges = useSelector(selectFound);
  const counted = useSelector(selectClusters);
  const art = usePinArt();
  const participations = useSelector(selectOwnByChallenge);
  const own = useMemo(
    () => challenges.flatMap((challenge) => challengePin(t, challenge, participations, art)),
    [t, challenges, participations, art],
  );
  const all = useMemo(() => clusterPins(own), [own]);
  const paddedView = useMemo(() => view && { box: grow(view.box, margin), zoom: view.zoom }, [view]);
  const challenge = selection?.kind === 'challenge' ? selection.challenge : null;
  const place = selection?.kind === 'place' ? selection.place : null;
  const spot = selection?.kind === 'spot' ? selection.position : null;
  // Within a cluster it would have no pin of its own.
  const selectedPin = useMemo(() => {
    const pin = challenge && challengePin(t, challenge, participations, art)[0];
    const isUnclustered =
      counted.length === 0 && paddedView && all.inView(paddedView).some(({ id }) => id === pin?.id);
    return isUnclustered ? undefined : pin;
  }, [t, challenge, participations, art, counted, all, paddedView]);
  const grouped = useMemo(
    () => (selectedPin ? clusterPins(own.filter(({ id }) => id !== selectedPin.id)) : all),
    [all, own, selectedPin],
  );
  const pins = useMemo((): Pin[] => {
    if (!paddedView) return [];
    const ofChallenges =
      counted.length > 0
        ? mergeOverlapping(counted, paddedView.zoom)
            .map((cluster) => clusterPin(t, cluster, participations, art))
            .filter(({ id }) => id !== selectedPin?.id)
        : grouped.inView(paddedView);
    const here: Pin[] = spot ? [{ id: 'here', kind: 'here', position: spot, label: t('chosenSpot') }] : [];
    const searched = place && !places.some(({ id }) => id === place.id) ? [place] : [];
    return [
      ...ofChallenges,
      ...(selectedPin ? [{ ...selectedPin, chosen: true }] : []),
      ...[...places, ...searched].map((one) => ({ ...placePin(t, one, art), chosen: one.id === place?.id })),
      ...here,
    ];
  }, [t, paddedView, counted, grouped, selectedPin, participations, art, places, place, spot]);
  return { pins: useDeferredValue(pins), expansionZoom: grouped.expansionZoom };
}

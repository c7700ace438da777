import type { Place } from '@wayquest/contracts';
import { useDeferredValue, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { selectCompletedIds } from '../../entities/challenge-lines/selectors.ts';
import { grow } from './map/boxes.ts';
import { clusterPins } from './map/cluster-pins.ts';
import type { Pin, View } from './map/map.ts';
import { challengePin, clusterPin, placePin } from './pins.ts';
import { selectClusters, selectFound } from './selectors.ts';
import type { Selection } from './use-selection.ts';
import { useWords } from './words.ts';

/** Pins are there before they come into sight. */
const margin = 0.5;

/** Everything that the map shows: challenges, alone or grouped, places, and the spot that was chosen. */
export function usePins(view: View | null, places: Place[], selection: Selection | null) {
  const t = useWords();
  const challenges = useSelector(selectFound);
  const counted = useSelector(selectClusters);
  const completed = useSelector(selectCompletedIds);
  const grouped = useMemo(
    () =>
      clusterPins(challenges.flatMap((challenge) => challengePin(t, challenge, completed.has(challenge.id)))),
    [t, challenges, completed],
  );
  const pins = useMemo((): Pin[] => {
    if (!view) return [];
    const ofChallenges =
      counted.length > 0
        ? counted.map((cluster) => clusterPin(t, cluster, completed))
        : grouped.inView({ box: grow(view.box, margin), zoom: view.zoom });
    const here: Pin[] =
      selection?.kind === 'spot'
        ? [{ id: 'here', kind: 'here', position: selection.position, label: t('chosenSpot') }]
        : [];
    // Among what is only counted it would have no pin of its own.
    const chosen =
      selection?.kind === 'challenge' && counted.length > 0
        ? challengePin(t, selection.challenge, completed.has(selection.challenge.id))
        : [];
    const others = ofChallenges.filter(({ id }) => id !== chosen[0]?.id);
    return [...others, ...chosen, ...places.map((place) => placePin(t, place)), ...here];
  }, [t, view, counted, grouped, completed, places, selection]);
  return { pins: useDeferredValue(pins), expansionZoom: grouped.expansionZoom };
}

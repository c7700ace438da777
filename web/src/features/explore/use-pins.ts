import type { Place } from '@wayquest/contracts';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectOwnByChallenge } from '../../entities/participations/slice.ts';
import { grow } from './map/boxes.ts';
import { clusterPins } from './map/cluster-pins.ts';
import type { Pin, View } from './map/map.ts';
import { mergeOverlapping } from './map/merge-overlapping.ts';
import type { PinArt } from './pin-art.ts';
import { challengePin, clusterPin, placePin } from './pins.ts';
import { selectClusters, selectFound } from './slice.ts';
import { useTranslations } from './translations.ts';
import type { Selection } from './use-selection.ts';

/** Pins are rendered before they are visible. */
const margin = 0.5;

/** The icons of kinds of places. Pins are shown without them until they are loaded. */
function usePinArt(): PinArt | undefined {
  const [art, setArt] = useState<PinArt>();
  useEffect(() => {
    let isCurrent = true;
    import('./pin-art.ts').then(
      ({ pinArt }) => isCurrent && setArt(pinArt),
      () => undefined,
    );
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
  const parts = useSelector(selectOwnByChallenge);
  const own = useMemo(
    () => challenges.flatMap((challenge) => challengePin(t, challenge, parts, art)),
    [t, challenges, parts, art],
  );
  const all = useMemo(() => clusterPins(own), [own]);
  const around = useMemo(() => view && { box: grow(view.box, margin), zoom: view.zoom }, [view]);
  const challenge = selection?.kind === 'challenge' ? selection.challenge : null;
  const place = selection?.kind === 'place' ? selection.place : null;
  const spot = selection?.kind === 'spot' ? selection.position : null;
  // Within a cluster it would have no pin of its own.
  const lifted = useMemo(() => {
    const pin = challenge && challengePin(t, challenge, parts, art)[0];
    const isAlone = counted.length === 0 && around && all.inView(around).some(({ id }) => id === pin?.id);
    return isAlone ? undefined : pin;
  }, [t, challenge, parts, art, counted, all, around]);
  const grouped = useMemo(
    () => (lifted ? clusterPins(own.filter(({ id }) => id !== lifted.id)) : all),
    [all, own, lifted],
  );
  const pins = useMemo((): Pin[] => {
    if (!around) return [];
    const ofChallenges =
      counted.length > 0
        ? mergeOverlapping(counted, around.zoom)
            .map((cluster) => clusterPin(t, cluster, parts, art))
            .filter(({ id }) => id !== lifted?.id)
        : grouped.inView(around);
    const here: Pin[] = spot ? [{ id: 'here', kind: 'here', position: spot, label: t('chosenSpot') }] : [];
    const searched = place && !places.some(({ id }) => id === place.id) ? [place] : [];
    return [
      ...ofChallenges,
      ...(lifted ? [{ ...lifted, chosen: true }] : []),
      ...[...places, ...searched].map((one) => ({ ...placePin(t, one, art), chosen: one.id === place?.id })),
      ...here,
    ];
  }, [t, around, counted, grouped, lifted, parts, art, places, place, spot]);
  return { pins: useDeferredValue(pins), expansionZoom: grouped.expansionZoom };
}

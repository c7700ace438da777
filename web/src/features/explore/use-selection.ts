import type { Challenge, Place, Position } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import {
  challengeRequested,
  type challengesSlice,
  selectChallenge,
  selectDetailError,
  selectDetailState,
} from '../../entities/challenges/slice.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { ExploreAddress } from './address.ts';
import { selectFound, selectPlace, spotChosen } from './slice.ts';

type State = Parameters<typeof selectFound>[0] & Parameters<typeof challengesSlice.selectSlice>[0];

export type Selection =
  | { kind: 'challenge'; challenge: Challenge; position: Position }
  | { kind: 'place'; place: Place; position: Position }
  | { kind: 'spot'; position: Position };

/** Whether a place is at a position. The URL contains positions with five decimals, about a meter. */
export const isAt = (place: Place, { lat, lng }: Position) =>
  place.position.lat.toFixed(5) === lat.toFixed(5) && place.position.lng.toFixed(5) === lng.toFixed(5);

/**
 * Returns the selected pin, and functions to select another one. The URL contains everything but the place at a
 * position.
 */
export function useSelection(
  { challengeId, spot }: ExploreAddress,
  change: (part: Partial<ExploreAddress>) => void,
) {
  const dispatch = useDispatch();
  const store = useStore<State>();
  const place = useSelector(selectPlace);
  const found = useSelector((state: State) =>
    challengeId === null
      ? undefined
      : (selectFound(state).find(({ id }) => id === challengeId) ?? selectChallenge(state, challengeId)),
  );
  // Its window stays open when a filter removes it from the list.
  const last = useRef(found);
  if (found) last.current = found;
  const challenge = last.current?.id === challengeId ? last.current : undefined;
  const missing = challengeId !== null && !challenge;
  const failed = useSelector(selectDetailState) === 'failed';
  useEffect(() => {
    if (missing) dispatch(challengeRequested(challengeId));
  }, [dispatch, missing, challengeId]);
  useEffect(() => {
    const error = selectDetailError(store.getState());
    if (!missing || !failed || !error) return;
    dispatch(noticed({ text: error, tone: 'bad' }));
    change({ challengeId: null });
  }, [dispatch, store, missing, failed, change]);

  const selection = (): Selection | null => {
    if (challenge?.position) return { kind: 'challenge', challenge, position: challenge.position };
    if (!spot) return null;
    return place && isAt(place, spot)
      ? { kind: 'place', place, position: place.position }
      : { kind: 'spot', position: spot };
  };
  const open = (chosen: Place | null, position: Position) => {
    dispatch(spotChosen(chosen));
    change({ challengeId: null, spot: position });
  };
  return {
    selection: selection(),
    openChallenge: (id: number) => change({ challengeId: id, spot: null }),
    openPlace: (chosen: Place) => open(chosen, chosen.position),
    openSpot: (position: Position) => open(null, position),
    close: () => change({ challengeId: null, spot: null }),
  };
}

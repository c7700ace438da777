import type { Challenge, Place, Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { selectChallenge, selectOneError } from '../challenges/selectors.ts';
import { challengeRequested, type challengesSlice } from '../challenges/slice.ts';
import type { ExploreAddress } from './address.ts';
import { selectFound } from './selectors.ts';

type State = Parameters<typeof selectFound>[0] & Parameters<typeof challengesSlice.selectSlice>[0];

export type Selection =
  | { kind: 'challenge'; challenge: Challenge; position: Position }
  | { kind: 'place'; place: Place; position: Position }
  | { kind: 'spot'; position: Position };

/** Whose window is open, and how to open another one. The address bar knows all but the name of a place. */
export function useSelection(
  { challengeId, spot }: ExploreAddress,
  change: (part: Partial<ExploreAddress>) => void,
) {
  const dispatch = useDispatch();
  const [place, setPlace] = useState<Place | null>(null);
  const challenge = useSelector((state: State) =>
    challengeId === null
      ? undefined
      : (selectFound(state).find(({ id }) => id === challengeId) ?? selectChallenge(state, challengeId)),
  );
  const error = useSelector(selectOneError);
  const missing = challengeId !== null && !challenge;
  useEffect(() => {
    if (missing) dispatch(challengeRequested(challengeId));
  }, [dispatch, missing, challengeId]);
  useEffect(() => {
    if (!missing || !error) return;
    dispatch(noticed({ text: error, tone: 'bad' }));
    change({ challengeId: null });
  }, [dispatch, missing, error, change]);

  const selection = (): Selection | null => {
    if (challenge?.position) return { kind: 'challenge', challenge, position: challenge.position };
    if (!spot) return null;
    return place ? { kind: 'place', place, position: place.position } : { kind: 'spot', position: spot };
  };
  return {
    selection: selection(),
    openChallenge: (id: number) => change({ challengeId: id, spot: null }),
    openPlace(chosen: Place) {
      setPlace(chosen);
      change({ challengeId: null, spot: chosen.position });
    },
    openSpot(position: Position) {
      setPlace(null);
      change({ challengeId: null, spot: position });
    },
    close: () => change({ challengeId: null, spot: null }),
  };
}

import type { Challenge } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import {
  challengeStale,
  type challengesSlice,
  selectChallenge,
  selectDetailState,
} from '../../../entities/challenges/slice.ts';
import { emitted } from '../../../entities/realtime/events.ts';
import { selectConnection } from '../../../entities/realtime/slice.ts';
import { readId } from '../../../shared/lib/query-params.ts';
import { ChallengeLoader } from '../components/ChallengeLoader.tsx';
import { ChallengeView } from '../components/ChallengeView.tsx';

/** Subscribes to changes of a challenge while its page is open, and reloads it after a gap. */
function useChallengeSubscription(id: number): void {
  const dispatch = useDispatch();
  const connection = useSelector(selectConnection);
  const gap = useRef(false);
  useEffect(() => {
    if (connection === 'lost') gap.current = true;
    if (connection !== 'up') return;
    dispatch(emitted({ name: 'watchChallenge', data: id }));
    if (gap.current) dispatch(challengeStale(id));
    gap.current = false;
    return () => {
      dispatch(emitted({ name: 'watchChallenge', data: null }));
    };
  }, [dispatch, connection, id]);
}

type State = Parameters<typeof challengesSlice.selectSlice>[0];

/** The creator's fields; the participants change all the time. */
const contentOf = ({ name, description, difficulty, points, startDate, endDate }: Challenge) =>
  JSON.stringify([name, description, difficulty, points, startDate, endDate]);

/** Whether the creator has changed a challenge since its page was opened. */
function useChanged(id: number): boolean {
  const challenge = useSelector((state: State) => selectChallenge(state, id));
  const state = useSelector(selectDetailState);
  // A list's copy may be old: the comparison starts with what the page itself loads.
  const opened = useRef({ id, isRequested: false, words: '' });
  const [changed, setChanged] = useState<number>();
  useEffect(() => {
    if (opened.current.id !== id) opened.current = { id, isRequested: false, words: '' };
    const first = opened.current;
    if (state === 'loading') first.isRequested = true;
    if (state !== 'ready' || !first.isRequested || !challenge) return;
    const words = contentOf(challenge);
    if (first.words && first.words !== words) setChanged(id);
    first.words = words;
  }, [id, challenge, state]);
  return changed === id;
}

export default function ChallengeDetail() {
  const id = readId(useParams().id);
  useChallengeSubscription(id);
  const changed = useChanged(id);
  return (
    <ChallengeLoader id={id}>
      {(challenge) => <ChallengeView challenge={challenge} changed={changed} />}
    </ChallengeLoader>
  );
}

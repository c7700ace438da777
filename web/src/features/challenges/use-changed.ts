import type { Challenge } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectChallenge, selectOneState } from '../../entities/challenges/selectors.ts';
import type { challengesSlice } from '../../entities/challenges/slice.ts';

type State = Parameters<typeof challengesSlice.selectSlice>[0];

/** The creator's fields; the participants change all the time. */
const said = ({ name, description, difficulty, points, startDate, endDate }: Challenge) =>
  JSON.stringify([name, description, difficulty, points, startDate, endDate]);

/** Whether the creator has changed a challenge since its page was opened. */
export function useChanged(id: number): boolean {
  const challenge = useSelector((state: State) => selectChallenge(state, id));
  const state = useSelector(selectOneState);
  // A list's copy may be old: the comparison starts with what the page itself loads.
  const opened = useRef({ id, isRequested: false, words: '' });
  const [changed, setChanged] = useState<number>();
  useEffect(() => {
    if (opened.current.id !== id) opened.current = { id, isRequested: false, words: '' };
    const first = opened.current;
    if (state === 'loading') first.isRequested = true;
    if (state !== 'ready' || !first.isRequested || !challenge) return;
    const words = said(challenge);
    if (first.words && first.words !== words) setChanged(id);
    first.words = words;
  }, [id, challenge, state]);
  return changed === id;
}

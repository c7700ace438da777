import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { challengeStale } from '../../entities/challenges/slice.ts';
import { emitted } from '../../entities/realtime/events.ts';
import { selectConnection } from '../../entities/realtime/slice.ts';

/** Subscribes to changes of a challenge while its page is open, and reloads it after a gap. */
export function useWatched(id: number): void {
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

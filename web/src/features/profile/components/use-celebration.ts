import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { celebrationShown, selectCelebration } from '../slice.ts';

/** Returns the points that were just earned, once per visit to the page. */
export function useCelebration() {
  const dispatch = useDispatch();
  const [celebration] = useState(useSelector(selectCelebration));
  useEffect(() => {
    dispatch(celebrationShown());
  }, [dispatch]);
  return celebration;
}

import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { celebrationShown, selectCelebration } from '../slice.ts';

/** The points just earned, for this visit to the page only. */
export function useCelebration() {
  const dispatch = useDispatch();
  const [celebration] = useState(useSelector(selectCelebration));
  useEffect(() => {
    dispatch(celebrationShown());
  }, [dispatch]);
  return celebration;
}

import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { mailPageOpened, selectMailStep } from '../../../entities/auth/slice.ts';

/** Returns the state of account recovery, and the token of the link. */
export function useRecovery() {
  const dispatch = useDispatch();
  const { hash } = useLocation();
  useEffect(() => {
    dispatch(mailPageOpened());
  }, [dispatch]);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return { ...useSelector(selectMailStep), token, dispatch };
}

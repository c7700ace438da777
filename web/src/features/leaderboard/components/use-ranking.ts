import { useCallback, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { readAddress, writeAddress } from '../address.ts';
import {
  rankingClosed,
  rankingRequested,
  selectRanking,
  selectRankingError,
  selectRankingState,
} from '../slice.ts';

/** Loads the ranking of the URL. For a visitor friends are ignored; a page past the end is the last one. */
export function useRanking() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const status = useSelector(selectAuthStatus);
  const ranking = useSelector(selectRanking);
  const state = useSelector(selectRankingState);
  const error = useSelector(selectRankingError);
  const { page, scope: wished, period } = readAddress(query);
  const member = status === 'member';
  const scope = member ? wished : 'all';
  const starting = status === 'starting';
  const lastPage = state === 'ready' ? ranking?.pages : undefined;

  const reload = useCallback(() => {
    if (!starting) dispatch(rankingRequested({ page, scope, period }));
  }, [dispatch, starting, page, scope, period]);
  useEffect(reload, [reload]);
  useEffect(() => () => void dispatch(rankingClosed()), [dispatch]);

  useEffect(() => {
    if (lastPage && page > lastPage)
      navigate(writeAddress({ page: lastPage, scope, period }) || '.', { replace: true });
  }, [lastPage, page, scope, period, navigate]);

  return { address: { page, scope, period }, ranking, state, error, reload, member };
}

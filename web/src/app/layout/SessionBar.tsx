import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuthStatus } from '../../entities/auth/selectors.ts';
import { sessionWanted } from '../../entities/auth/slice.ts';
import classes from './SessionBar.module.css';
import { useTranslations } from './translations.ts';

/** Says that the session could not be loaded, and has it loaded again on each page; `followNetwork` does once the network is back. */
export function SessionBar() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const isFailed = useSelector(selectAuthStatus) === 'failed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page loads it again
  useEffect(() => {
    dispatch(sessionWanted());
  }, [dispatch, pathname]);
  return (
    <div className={classes.bar} role="status">
      {isFailed && <p>{t('accountAway')}</p>}
    </div>
  );
}

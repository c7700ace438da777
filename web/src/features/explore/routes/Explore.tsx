import '@mantine/core/styles/Input.layer.css';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { useListPosition } from '../../../entities/challenges/search-location.ts';
import { participationsRequested } from '../../../entities/participations/slice.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { PageTitle } from '../../../shared/ui/Page.tsx';
import { ExploreMap } from '../components/ExploreMap.tsx';
import { useTranslations } from '../translations.ts';
import { useMapKit } from '../use-map-kit.ts';
import classes from './Explore.module.css';

function Content() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const member = useSelector(selectAuthStatus) === 'member';
  const known = useListPosition();
  const { search } = useLocation();
  const { kit, settings, failed, retry } = useMapKit();
  useEffect(() => {
    if (member) dispatch(participationsRequested());
  }, [dispatch, member]);
  // A URL with a position need not wait for the person's.
  if (kit && settings && (known !== undefined || new URLSearchParams(search).has('at'))) {
    return <ExploreMap kit={kit} settings={settings} known={known} />;
  }
  if (failed) {
    return (
      <div className={classes.failure}>
        <Failure onRetry={retry}>{t('mapsFailed')}</Failure>
      </div>
    );
  }
  return (
    <p className={classes.loading} role="status">
      {t('loadingMaps')}
    </p>
  );
}

export default function Explore() {
  const t = useTranslations();
  return (
    <div className={classes.page}>
      <PageTitle tab={t('tab')} className={classes.title ?? ''}>
        {t('title')}
      </PageTitle>
      <Content />
    </div>
  );
}

import '@mantine/core/styles/Input.layer.css';
import type { WebSettings } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { linesRequested } from '../../../entities/challenge-lines/slice.ts';
import { inTime } from '../../../shared/lib/in-time.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { useKnownPosition } from '../../../shared/ui/use-known-position.ts';
import { ExploreMap } from '../components/ExploreMap.tsx';
import type { LoadMapKit, MapKit } from '../map/map.ts';
import { selectSettings, selectSettingsFailed } from '../selectors.ts';
import { settingsRequested } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Explore.module.css';

/** Loads Google's map if there is a key, otherwise the open map; never both. */
const loadMapKit: LoadMapKit = async (settings) => {
  const { load } = settings.googleMapsApiKey
    ? await inTime(import('../google-map/google-map-kit.ts'))
    : await inTime(import('../open-map/open-map-kit.ts'));
  return load(settings);
};

/** Returns the configured map, once its code is loaded. */
function useMapKit(settings: WebSettings | null) {
  const [kit, setKit] = useState<MapKit | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!settings) return;
    let wanted = true;
    setFailed(false);
    loadMapKit(settings).then(
      (loaded) => wanted && setKit(loaded),
      (error) => {
        console.warn(`The map did not load (attempt ${attempt + 1})`, error);
        if (wanted) setFailed(true);
      },
    );
    return () => {
      wanted = false;
    };
  }, [settings, attempt]);
  return { kit, failed, retry: () => setAttempt(attempt + 1) };
}

function Content() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const settings = useSelector(selectSettings);
  const settingsFailed = useSelector(selectSettingsFailed);
  const member = useSelector(selectAuthStatus) === 'member';
  const known = useKnownPosition();
  const { search } = useLocation();
  const { kit, failed, retry } = useMapKit(settings);
  useEffect(() => {
    if (!settings) dispatch(settingsRequested());
  }, [dispatch, settings]);
  useEffect(() => {
    if (member) dispatch(linesRequested());
  }, [dispatch, member]);
  // A URL with a position need not wait for the person's.
  if (kit && settings && (known !== undefined || new URLSearchParams(search).has('at'))) {
    return <ExploreMap kit={kit} settings={settings} known={known} />;
  }
  if (settingsFailed || failed) {
    return (
      <div className={classes.failure}>
        <Failure onRetry={settings ? retry : () => dispatch(settingsRequested())}>{t('mapsFailed')}</Failure>
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

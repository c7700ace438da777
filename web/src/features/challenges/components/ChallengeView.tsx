import { IconCalendar, IconFlame, IconMap2, IconRoute, IconStar } from '@tabler/icons-react';
import { type Challenge, distanceInMeters, hasAccount, type Position } from '@wayquest/contracts';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { dateRange, phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import { directionsTo, formatDistance, mapUrl } from '../../../entities/challenges/location.ts';
import { ChallengePicture } from '../../../entities/challenges/pictures/ChallengePicture.tsx';
import { areaSentence, nameOf, textsOf } from '../../../entities/challenges/texts.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { LazyChallengeReportActions, LazyHiddenBanner } from '../../../entities/reports/lazy.tsx';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { lazyOptional } from '../../../shared/lib/lazy-loading.ts';
import { useName } from '../../../shared/lib/names.ts';
import { SmallMap } from '../../../shared/map/SmallMap.tsx';
import { PageTitle } from '../../../shared/ui/Page.tsx';
import { useIsNearViewport } from '../../../shared/ui/use-is-near-viewport.ts';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import { useTranslations } from '../translations.ts';
import { Actions, ShareButton } from './Actions.tsx';
import challengePlaceClasses from './ChallengePlace.module.css';
import classes from './ChallengeView.module.css';
import { Participants } from './Participants.tsx';

const Log = lazyOptional(async () => (await import('./Log.tsx')).Log);

/** Loads the log near the viewport, since it is below what most readers look for. */
function LazyLog({ challenge }: { challenge: Challenge }) {
  const { ref, isNearViewport } = useIsNearViewport<HTMLDivElement>('600px');
  return (
    <div ref={ref} className={classes.log}>
      {isNearViewport && (
        <Suspense fallback={null}>
          <Log challenge={challenge} />
        </Suspense>
      )}
    </div>
  );
}

interface Props {
  challenge: Challenge;
  /** Whether its creator has changed it while the page was open. */
  changed: boolean;
}

/** The id of the challenge that was just created, if the person comes from there. */
const createdOf = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'created' in state ? state.created : undefined;

/** The zoom of the map that shows its place, or its whole area. */
const zoomOf = ({ area }: Challenge): number => (area ? 12 : 15);

interface PlaceMapProps {
  challenge: Challenge;
  position: Position;
}

function PlaceMap({ challenge, position }: PlaceMapProps) {
  const t = useTranslations();
  const { id } = challenge;
  const name = nameOf(challenge);
  const zoom = zoomOf(challenge);
  const { lat, lng } = position;
  const spots = useMemo(
    () => [{ id, name, position: { lat, lng }, to: mapUrl({ lat, lng }, zoom, id) }],
    [id, name, zoom, lat, lng],
  );
  return (
    <div className={challengePlaceClasses.map}>
      <SmallMap label={t('placeMap')} spots={spots} toSeveral={mapUrl} />
    </div>
  );
}

/** The way to a challenge's place, and how far it is. In an area there is no point to go to. */
function Way({ challenge, position }: PlaceMapProps) {
  const t = useTranslations();
  const known = useKnownPosition();
  const directions = directionsTo(position, nameOf(challenge), navigator.userAgent);
  return (
    <>
      {!challenge.area && known && (
        <p>{t('away', { distance: formatDistance(distanceInMeters(known, position)) })}</p>
      )}
      <div className={challengePlaceClasses.links}>
        {!challenge.area && (
          <a
            href={directions}
            {...(directions.startsWith('https:') && { target: '_blank', rel: 'noreferrer' })}
          >
            <IconRoute size={20} stroke={1.75} aria-hidden />
            {t('directions')}
          </a>
        )}
        <Link to={mapUrl(position, zoomOf(challenge), challenge.id)}>
          <IconMap2 size={20} stroke={1.75} aria-hidden />
          {t('onMap')}
        </Link>
      </div>
    </>
  );
}

/** Where a challenge is: its place and address, on a small map, and the way there. */
function ChallengePlace({ challenge }: { challenge: Challenge }) {
  const t = useTranslations();
  const { position, locationName, streetAddress, city, state, zip } = challenge;
  const area = areaSentence(challenge);
  const address = area
    ? t('anywhereInArea', { area })
    : [streetAddress, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  if (!locationName && !address && !position) return null;
  return (
    <section className={challengePlaceClasses.place} aria-label={t('place')}>
      {position && <PlaceMap challenge={challenge} position={position} />}
      <div className={challengePlaceClasses.where}>
        {locationName && <strong>{locationName}</strong>}
        {address && <p>{address}</p>}
        {position && <Way challenge={challenge} position={position} />}
      </div>
    </section>
  );
}

/** A challenge with all details and actions. */
export function ChallengeView({ challenge, changed }: Props) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const common = useCommonTranslations();
  const { id, difficulty, points, creator } = challenge;
  const { name, description, lang } = textsOf(challenge);
  const creatorName = useName(creator);
  const { pathname, state: navigationState } = useLocation();
  const navigate = useNavigate();
  const [createdId] = useState(() => createdOf(navigationState));
  const isNew = createdId === id;
  useEffect(() => {
    // Removes the mark of its creation, so that returning later does not show it again.
    if (createdOf(navigationState) !== undefined)
      navigate(pathname, { replace: true, preventScrollReset: true });
  }, [navigationState, pathname, navigate]);
  return (
    <article className={classes.view}>
      <LazyHiddenBanner challenge={challenge} />
      {isNew && (
        <aside className={classes.live}>
          <p>{t('isLive')}</p>
          <ShareButton id={id} name={name} />
        </aside>
      )}
      <div className={classes.picture}>
        <ChallengePicture challenge={challenge} wide />
      </div>
      <div className={classes.columns}>
        <div className={classes.words}>
          <p className={classes.phase} data-phase={phaseOf(challenge)}>
            {phaseSentence(challenge)}
            {challenge.suggestion !== undefined && (
              <span className={classes.suggested}>{ofChallenge('suggested')}</span>
            )}
          </p>
          <PageTitle lang={lang}>{name}</PageTitle>
          <p className={classes.changed} role="status">
            {changed && t('changedNow')}
          </p>
          <p className={classes.creator}>
            {t('createdBy')}{' '}
            {hasAccount(creator) ? <Link to={`/users/${creator.id}`}>{creatorName}</Link> : creatorName}
          </p>
          <ul className={classes.facts}>
            <li>
              <IconCalendar size={20} stroke={1.75} aria-hidden />
              {dateRange(challenge)}
            </li>
            <li>
              <IconFlame size={20} stroke={1.75} aria-hidden />
              {ofChallenge(difficulty)}
            </li>
            <li>
              <IconStar size={20} stroke={1.75} aria-hidden />
              {common('points', { count: points })}
            </li>
          </ul>
          {description && (
            <p className={classes.description} lang={lang}>
              {description}
            </p>
          )}
          <ChallengePlace challenge={challenge} />
        </div>
        <Actions challenge={challenge} isShared={isNew} />
      </div>
      <Participants challenge={challenge} />
      <LazyLog challenge={challenge} />
      <LazyChallengeReportActions challenge={challenge} />
    </article>
  );
}

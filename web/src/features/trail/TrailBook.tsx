import '@mantine/core/styles/Input.layer.css';
import { NativeSelect, Skeleton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import {
  type Audience,
  audiences,
  type TrailBook as Book,
  type TrailMap as Shown,
  type Stamp,
} from '@wayquest/contracts';
import { useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { mapUrl } from '../../entities/challenges/location.ts';
import { PlacePicture } from '../../entities/challenges/pictures/PlacePicture.tsx';
import { nameOf } from '../../entities/challenges/texts.ts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/trail.ts';
import { shortDay } from '../../shared/lib/days.ts';
import { parseOption } from '../../shared/lib/query-params.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { SmallMap } from '../../shared/map/SmallMap.tsx';
import { Loaded, MoreButton } from '../../shared/ui/Loaded.tsx';
import { Empty, FormError } from '../../shared/ui/Message.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import classes from './TrailBook.module.css';

const { useTranslations } = catalogue('trail', english);

/** Maximum number of kinds of places that are shown, the most frequent first. */
const maxKinds = 8;

function Summary({ book, mine }: { book: Book; mine: boolean }) {
  const { total, own, weeklyStreak, placeCategories, towns } = book;
  const t = useTranslations();
  return (
    <ul className={classes.summary} aria-label={t('summary')}>
      <li className={classes.total}>{t('stamps', { count: total })}</li>
      {weeklyStreak > 0 && (
        <li className={classes.weeks} title={t('graceWeeks')}>
          {t('weeks', { count: weeklyStreak })}
        </li>
      )}
      {towns > 0 && <li>{t('towns', { count: towns })}</li>}
      {own > 0 && <li>{t(mine ? 'yours' : 'own', { count: own })}</li>}
      {placeCategories.slice(0, maxKinds).map(({ placeCategory, count }) => (
        <li key={placeCategory}>{t(placeCategory, { count })}</li>
      ))}
    </ul>
  );
}

/** A completed challenge with its date; the whole item links to its page. */
function StampItem({ stamp, mine }: { stamp: Stamp; mine: boolean }) {
  const t = useTranslations();
  const { challengeId, day, own } = stamp;
  return (
    <li className={classes.stamp} data-own={own || undefined}>
      <div className={classes.ring}>
        <div className={classes.picture}>
          <PlacePicture challenge={{ ...stamp, id: challengeId }} />
        </div>
      </div>
      <Link to={`/challenges/${challengeId}`}>{nameOf(stamp)}</Link>
      <span className={classes.day}>{shortDay(day)}</span>
      {own && <span className={classes.own}>{t(mine ? 'yourOne' : 'ownOne')}</span>}
    </li>
  );
}

/** Selects who may see the person's own map. */
function MapVisibilitySelect({ userId, chosen }: { userId: number; chosen: Audience }) {
  const t = useTranslations();
  const [visibility, setVisibility] = useState(chosen);
  const { send, state, error } = useMutation('showTrailMap');
  const isChanging = state === 'loading';
  const choose = (wished: Audience) => {
    if (isChanging) return;
    send({ params: { id: userId }, body: { visibility: wished } }, (saved) =>
      setVisibility(saved.visibility),
    );
  };
  return (
    <>
      <NativeSelect
        className={classes.readers ?? ''}
        name="visibility"
        label={t('readers')}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        aria-disabled={isChanging}
        data={audiences.map((value) => ({ value, label: t(value) }))}
        value={visibility}
        onChange={({ currentTarget }) => choose(parseOption(audiences, currentTarget.value) ?? 'me')}
      />
      <FormError>{error}</FormError>
    </>
  );
}

/** The places of a trail book on a map, for readers who may see it. */
function TrailMap({ userId, map: { places, visibility } }: { userId: number; map: Shown }) {
  const t = useTranslations();
  const spots = useMemo(
    () =>
      places.map((place) => ({
        id: place.challengeId,
        name: nameOf(place),
        position: place.position,
        to: `/challenges/${place.challengeId}`,
      })),
    [places],
  );
  return (
    <>
      {spots.length > 0 && (
        <div className={classes.map}>
          <SmallMap label={t('map')} spots={spots} toSeveral={mapUrl} />
        </div>
      )}
      {spots.length === 0 && visibility && <p className={classes.nowhere}>{t('nowhere')}</p>}
      {visibility && <MapVisibilitySelect userId={userId} chosen={visibility} />}
    </>
  );
}

/** A person's trail book: a stamp for each completed challenge. */
export function TrailBook({ userId }: { userId: number }) {
  const t = useTranslations();
  const mine = useSelector(selectUser)?.id === userId;
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const trail = useResource('getTrailBook', { params: { id: userId } });
  const { pages, loadingMore } = trail;
  return (
    <Section titleId="trail-title" title={t('title')}>
      <div {...focusFallback}>
        <Loaded of={trail} className={classes.pending ?? ''} pending={<Skeleton height={400} radius="lg" />}>
          {(book) =>
            book.total === 0 ? (
              <Empty>{t(book.hidden ? 'private' : 'none')}</Empty>
            ) : (
              <>
                <Summary book={book} mine={mine} />
                {book.map && <TrailMap userId={userId} map={book.map} />}
                <ul className={classes.stamps} aria-label={t('title')}>
                  {pages.flatMap(({ stamps }) =>
                    stamps.map((stamp) => (
                      <StampItem key={stamp.participationId} stamp={stamp} mine={mine} />
                    )),
                  )}
                </ul>
              </>
            )
          }
        </Loaded>
        <MoreButton of={trail} className={classes.more}>
          {t('more')}
        </MoreButton>
        {loadingMore.error && <FormError>{loadingMore.error}</FormError>}
      </div>
    </Section>
  );
}

import { Skeleton } from '@mantine/core';
import { type ChallengeDetails, distanceInMeters, type Position } from '@wayquest/contracts';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { dateRange, phaseOf } from '../../../entities/challenges/dates.ts';
import { formatDistance } from '../../../entities/challenges/location.ts';
import { ChallengePicture } from '../../../entities/challenges/pictures/ChallengePicture.tsx';
import type { Look } from '../../../entities/challenges/pictures/variation.ts';
import { areaSentence, textsOf } from '../../../entities/challenges/texts.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import {
  type ParticipationsState,
  selectOwnParticipation,
  selectPendingCompletions,
} from '../../../entities/participations/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import { useTranslations } from '../translations.ts';
import classes from './ChallengeCard.module.css';

interface Props {
  challenge: ChallengeDetails & { participants?: number };
  /** The person's position, if this page got it; otherwise as the browser allows. */
  from?: Position | null;
  /** How its drawing looks in this list. */
  look?: Look | undefined;
}

/** A challenge in a list; the whole card links to its page. */
export function ChallengeCard({ challenge, from, look }: Props) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const common = useCommonTranslations();
  const { id, city, state, difficulty, points, position, area, participants, suggestion } = challenge;
  const { name, lang } = textsOf(challenge);
  const known = useKnownPosition();
  const here = from ?? known;
  const participation = useSelector((state: ParticipationsState) => selectOwnParticipation(state, id));
  const isWaiting = useSelector(selectPendingCompletions).some(({ challengeId }) => challengeId === id);
  const phase = phaseOf(challenge);
  const part = isWaiting ? 'waiting' : participation?.completed ? 'completed' : 'joined';
  return (
    <article className={classes.card}>
      <div className={classes.picture}>
        <ChallengePicture challenge={challenge} look={look} />
        {participation && <span className={classes.part}>{ofChallenge(part)}</span>}
        <span className={classes.points}>{common('points', { count: points })}</span>
      </div>
      <div className={classes.words}>
        <h3 className={classes.name}>
          <Link to={`/challenges/${id}`} lang={lang}>
            {name}
          </Link>
        </h3>
        <p className={classes.dates}>{dateRange(challenge)}</p>
        <p>
          <span className={classes.phase} data-phase={phase}>
            {t(phase)}
          </span>
          {here && position && !area && (
            <span>{t('away', { distance: formatDistance(distanceInMeters(here, position)) })}</span>
          )}
        </p>
        <p>
          {areaSentence(challenge) ?? [city, state].filter(Boolean).join(', ')}
          <span className={classes.difficulty} data-difficulty={difficulty}>
            {ofChallenge(difficulty)}
          </span>
        </p>
        {participants || suggestion !== undefined ? (
          <p>
            {participants ? <span>{t('taking', { count: participants })}</span> : null}
            {suggestion !== undefined && <span>{ofChallenge('suggested')}</span>}
          </p>
        ) : null}
      </div>
    </article>
  );
}

export function CardGrid({ label, children }: { label: string; children: ReactNode[] }) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {children}
    </ul>
  );
}

export function CardGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Pending className={classes.grid}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <Skeleton key={place} className={classes.waiting ?? ''} radius="lg" />
      ))}
    </Pending>
  );
}

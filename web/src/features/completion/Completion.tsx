import { Button, Skeleton } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { type ChallengeDetails, type LogEntry, localDate } from '@wayquest/contracts';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/slice.ts';
import { OwnEntry, type SubmitRef } from '../../entities/challenge-log/OwnEntry.tsx';
import { ChallengeTeaser } from '../../entities/challenges/ChallengeTeaser.tsx';
import { useFirstMatching } from '../../entities/challenges/open-challenges.ts';
import { looksIn, PlacePicture } from '../../entities/challenges/pictures/PlacePicture.tsx';
import { areaSentence, nameOf } from '../../entities/challenges/texts.ts';
import { CheckInBadge } from '../../entities/check-in/CheckInBadge.tsx';
import { useCheckInTranslations } from '../../entities/check-in/translations.ts';
import { useAwardSentence } from '../../entities/participations/award-sentence.ts';
import type { CompletionResult } from '../../entities/participations/slice.ts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/completion.ts';
import { shareNatively } from '../../shared/lib/browser.ts';
import { longDay } from '../../shared/lib/days.ts';
import { formatPosition } from '../../shared/lib/query-params.ts';
import { siteName } from '../../shared/lib/site.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { noticed, selectNotice } from '../../shared/notice/notice-slice.ts';
import { Pending } from '../../shared/ui/Pending.tsx';
import burstClasses from './Burst.module.css';
import classes from './Completion.module.css';
import stampClasses from './Stamp.module.css';
import { stampPicture } from './stamp-picture.ts';

const { useTranslations } = catalogue('completion', english);

const failedCheckIns = {
  far: 'notNear',
  denied: 'positionDenied',
  'not-found': 'positionUnavailable',
} as const;

/**
 * The person's rank before and after they earned points, both in the current ranking: ahead of the earlier points are the same
 * people as then, and the person themselves.
 */
function Rank({ collected: { participation, from, to } }: { collected: CompletionResult }) {
  const t = useTranslations();
  const { userId } = participation;
  const now = useResource('getLeaderboard', { query: { around: 'me' } });
  const earlier = useResource(
    'getLeaderboard',
    from < to ? { query: { cursor: `${from}:${userId}` } } : null,
  );
  if (now.state === 'loading' || earlier.state === 'loading')
    return (
      <Pending className={classes.rank}>
        <Skeleton height={22} width={130} />
      </Pending>
    );
  const after = now.data?.rows.find(({ id }) => id === userId)?.rank;
  // Without it the dialog shows the rest.
  if (after === undefined || earlier.error) return <p className={classes.rank} />;
  const next = earlier.data?.rows[0]?.rank;
  const before = earlier.data ? (next ? next - 1 : earlier.data.total) : after;
  return (
    <p className={classes.rank}>
      {before === after ? t('rank', { rank: after }) : t('climbed', { before, after })}
    </p>
  );
}

/** Maximum radius that the service accepts, in meters. */
const maxRadius = '999999';
const maxParticipations = '500';

/** Open challenges nearest to the completed one that the person has not joined; the newest ones without a position. */
function NextNearby({ collected: { participation } }: { collected: CompletionResult }) {
  const t = useTranslations();
  const titleId = useId();
  const { position } = participation.challenge;
  const joined = useResource('listParticipations', { query: { limit: maxParticipations } });
  const joinedIds = new Set(joined.data?.map(({ challengeId }) => challengeId));
  const near = position ? { near: formatPosition(position), radius: maxRadius } : {};
  const { error, data } = useFirstMatching(joined.data && near, {
    ...{ matches: ({ id }) => !joinedIds.has(id), count: 2, first: 20 },
  });
  if (joined.error || error) return null;
  const looks = looksIn(data ?? []);
  return (
    <section className={classes.next} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('next')}</h2>
      {!data && (
        <Pending className={classes.rows}>
          <Skeleton height={64} radius="md" />
          <Skeleton height={64} radius="md" />
        </Pending>
      )}
      {data?.length === 0 && <p>{t('noneNext')}</p>}
      {!!data?.length && (
        <ul className={classes.rows}>
          {data.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser challenge={challenge} look={looks.get(challenge.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Shares a picture: with the device's dialog if that accepts pictures, otherwise as a download. */
async function share(picture: Blob, title: string): Promise<void> {
  const file = new File([picture], 'wayquest.png', { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) {
    await shareNatively({ files: [file], title });
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface StampProps {
  challenge: ChallengeDetails;
  /** The text around the picture. */
  ref: RefObject<HTMLDivElement | null>;
}

/** The completed challenge's kind of place, as a stamp. */
function Stamp({ challenge, ref }: StampProps) {
  return (
    <div className={stampClasses.stamp}>
      <div ref={ref} className={stampClasses.picture}>
        <PlacePicture challenge={challenge} />
      </div>
    </div>
  );
}

const duration = 900;

/** Counts from one number to another, once; without animation if reduced motion is preferred. */
function useCountUp(from: number, to: number): number {
  const prefersReducedMotion = useReducedMotion(undefined, { getInitialValueInEffect: false }) || from === to;
  const [shown, setShown] = useState(from);
  useEffect(() => {
    if (prefersReducedMotion) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, Math.max(0, now - start) / duration);
      setShown(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [from, to, prefersReducedMotion]);
  return prefersReducedMotion ? to : shown;
}

const colors = ['amber-5', 'purple-5', 'moss-5', 'amber-3'];
const sparks = Array.from({ length: 14 }, (_, place) => {
  const angle = (place / 14) * 2 * Math.PI;
  const distance = place % 2 ? 74 : 52;
  return {
    '--x': `${Math.round(Math.cos(angle) * distance)}px`,
    '--y': `${Math.round(Math.sin(angle) * distance * 0.7)}px`,
    background: `var(--mantine-color-${colors[place % colors.length]})`,
  };
});

/** A subtle burst around its container. */
function Burst() {
  return (
    <span className={burstClasses.burst} aria-hidden="true">
      {sparks.map((style) => (
        <span key={style['--x'] + style['--y']} className={burstClasses.spark} style={style} />
      ))}
    </span>
  );
}

/** The result of a completion, in a dialog that is shown once. */
export default function Completion({ collected }: { collected: CompletionResult }) {
  const t = useTranslations();
  const ofCheckIn = useCheckInTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const { participation, from, to, award, failedCheckIn } = collected;
  const name = nameOf(participation.challenge);
  const area = areaSentence(participation.challenge);
  const sentence = useAwardSentence(award);
  const total = useCountUp(from, to);
  const earned = to - from;
  const username = useSelector(selectUser)?.username ?? '';
  const [entry, setEntry] = useState<LogEntry | null>(null);
  const [isEditing, setEditing] = useState(false);
  const submitEntry: SubmitRef = useRef(null);
  const hasFailed = useSelector(selectNotice)?.tone === 'bad';

  useEffect(() => {
    dialog.current?.showModal();
    title.current?.focus();
  }, []);
  // Closed after a failure, so that its notice can be read.
  useEffect(() => {
    if (hasFailed && !isEditing) dialog.current?.close();
  }, [hasFailed, isEditing]);

  /** What was typed is saved, however the dialog is closed. */
  const finish = async () => {
    if ((await submitEntry.current?.()) ?? true) dialog.current?.close();
  };

  const sharePicture = async () => {
    const svg = picture.current?.querySelector('svg');
    if (!svg) return;
    const { timeZone } = participation.challenge;
    const day = longDay(localDate(timeZone, new Date(participation.completedAt ?? participation.joinedAt)));
    try {
      const captionLines = [`${username} · ${day}`, siteName];
      const blob = await stampPicture(svg, name, captionLines);
      if (blob) await share(blob, name);
      else dispatch(noticed({ text: t('noPicture'), tone: 'bad' }));
    } catch (error) {
      console.error(error);
      dispatch(noticed({ text: t('shareFailed'), tone: 'bad' }));
    }
  };

  return (
    <dialog
      ref={dialog}
      className={classes.finish}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        void finish();
      }}
    >
      <Stamp ref={picture} challenge={participation.challenge} />
      <h2 id={titleId} ref={title} className={classes.title} tabIndex={-1}>
        {t(participation.checkedIn ? 'title' : 'titleWithoutCheckIn')}
      </h2>
      <p className={classes.name}>{name}</p>
      {participation.checkedIn && <CheckInBadge />}
      {failedCheckIn && (
        <p className={classes.name}>
          {failedCheckIn === 'far' && area
            ? ofCheckIn('notInArea', { area })
            : ofCheckIn(failedCheckIns[failedCheckIn])}
        </p>
      )}
      <p className={classes.earned}>
        {earned > 0 ? t('earned', { count: earned }) : (sentence ?? t('again'))}
        {earned > 0 && <Burst />}
      </p>
      {earned > 0 && sentence && <p className={classes.name}>{sentence}</p>}
      <p className={classes.total}>{t('total', { count: total })}</p>
      <Rank collected={collected} />
      <div className={classes.entry}>
        <OwnEntry
          participationId={participation.id}
          name={name}
          entry={entry}
          onSaved={setEntry}
          onToggled={setEditing}
          submitRef={submitEntry}
        />
      </div>
      <NextNearby collected={collected} />
      <div className={classes.actions}>
        <Button variant="default" onClick={sharePicture}>
          {t('share')}
        </Button>
        <Button onClick={() => void finish()}>{t(isEditing ? 'saveAndContinue' : 'done')}</Button>
      </div>
    </dialog>
  );
}

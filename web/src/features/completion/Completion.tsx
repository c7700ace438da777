import { Button, Skeleton } from '@mantine/core';
import { type LogEntry, localDate } from '@wayquest/contracts';
import { useEffect, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { useAwardSentence } from '../../entities/challenge-lines/award-sentence.ts';
import type { Collected } from '../../entities/challenge-lines/slice.ts';
import { OwnEntry } from '../../entities/challenge-log/OwnEntry.tsx';
import { ChallengeTeaser } from '../../entities/challenges/ChallengeTeaser.tsx';
import { CheckedIn } from '../../entities/check-in/CheckedIn.tsx';
import { useCheckInTranslations } from '../../entities/check-in/translations.ts';
import { longDay } from '../../shared/lib/days.ts';
import { useQuery } from '../../shared/lib/use-query.ts';
import { noticed, selectNotice } from '../../shared/notice/notice-slice.ts';
import { Pending } from '../../shared/ui/Pending.tsx';
import { Burst } from './Burst.tsx';
import classes from './Completion.module.css';
import { nextNearby } from './next-nearby.ts';
import { Stamp } from './Stamp.tsx';
import { share } from './share.ts';
import { stampPicture } from './stamp-picture.ts';
import { standingsOf } from './standings.ts';
import { useTranslations } from './translations.ts';
import { useCountUp } from './use-count-up.ts';

const failedCheckIns = { far: 'notNear', unknown: 'positionKept' } as const;

function Rank({ collected: { line, from, to } }: { collected: Collected }) {
  const t = useTranslations();
  const { state, data } = useQuery(`${line.id}`, (api) =>
    standingsOf(api, { userId: line.userId, from, to }),
  );
  if (state === 'idle' || state === 'loading')
    return (
      <Pending className={classes.rank}>
        <Skeleton height={22} width={130} />
      </Pending>
    );
  // Without it the dialog shows the rest.
  if (!data) return <p className={classes.rank} />;
  return (
    <p className={classes.rank}>
      {data.before === data.after ? t('rank', { rank: data.after }) : t('climbed', { ...data })}
    </p>
  );
}

function Next({ collected: { line } }: { collected: Collected }) {
  const t = useTranslations();
  const titleId = useId();
  const { state, data } = useQuery(`${line.id}`, (api) => nextNearby(api, line.challenge));
  if (state === 'failed') return null;
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
              <ChallengeTeaser challenge={challenge} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The result of a completion, in a dialog that is shown once. */
export default function Completion({ collected }: { collected: Collected }) {
  const t = useTranslations();
  const ofCheckIn = useCheckInTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const { line, from, to, award, failedCheckIn } = collected;
  const sentence = useAwardSentence(award);
  const total = useCountUp(from, to);
  const earned = to - from;
  const username = useSelector(selectUser)?.username ?? '';
  const [entry, setEntry] = useState<LogEntry | null>(null);
  const hasFailed = useSelector(selectNotice)?.tone === 'bad';

  useEffect(() => {
    dialog.current?.showModal();
    title.current?.focus();
  }, []);
  // Closed after a failure, so that its notice can be read.
  useEffect(() => {
    if (hasFailed) dialog.current?.close();
  }, [hasFailed]);

  const sharePicture = async () => {
    const svg = picture.current?.querySelector('svg');
    if (!svg) return;
    const { timeZone } = line.challenge;
    const day = longDay(localDate(timeZone, new Date(line.completedAt ?? line.joinedAt)));
    try {
      const below = [`${username} · ${day}`, 'Wayquest'];
      const blob = await stampPicture(svg, line.challenge.name, below);
      if (blob) await share(blob, line.challenge.name);
      else dispatch(noticed({ text: t('noPicture'), tone: 'bad' }));
    } catch (error) {
      console.error(error);
      dispatch(noticed({ text: t('shareFailed'), tone: 'bad' }));
    }
  };

  return (
    <dialog ref={dialog} className={classes.finish} aria-labelledby={titleId}>
      <Stamp ref={picture} challenge={line.challenge} />
      <h2 id={titleId} ref={title} className={classes.title} tabIndex={-1}>
        {t('title')}
      </h2>
      <p className={classes.name}>{line.challenge.name}</p>
      {line.checkedIn && <CheckedIn />}
      {failedCheckIn && <p className={classes.name}>{ofCheckIn(failedCheckIns[failedCheckIn])}</p>}
      <p className={classes.earned}>
        {earned > 0 ? t('earned', { count: earned }) : (sentence ?? t('again'))}
        {earned > 0 && <Burst />}
      </p>
      {earned > 0 && sentence && <p className={classes.name}>{sentence}</p>}
      <p className={classes.total}>{t('total', { count: total })}</p>
      <Rank collected={collected} />
      <div className={classes.entry}>
        <OwnEntry lineId={line.id} entry={entry} onSaved={setEntry} />
      </div>
      <Next collected={collected} />
      <div className={classes.actions}>
        <Button variant="default" onClick={sharePicture}>
          {t('share')}
        </Button>
        <Button onClick={() => dialog.current?.close()}>{t('done')}</Button>
      </div>
    </dialog>
  );
}

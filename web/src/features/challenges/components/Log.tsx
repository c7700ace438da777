import { Skeleton } from '@mantine/core';
import { type Challenge, type LogEntry, localDate } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/slice.ts';
import { EntryPhoto } from '../../../entities/challenge-log/EntryPhoto.tsx';
import { OwnEntry } from '../../../entities/challenge-log/OwnEntry.tsx';
import { ThanksButton } from '../../../entities/challenge-log/ThanksButton.tsx';
import { useLogTranslations } from '../../../entities/challenge-log/translations.ts';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { CheckInBadge } from '../../../entities/check-in/CheckInBadge.tsx';
import {
  type ParticipationsState,
  participationsSlice,
  selectOwnParticipation,
  selectParticipantsState,
} from '../../../entities/participations/slice.ts';
import { LazyReportButton } from '../../../entities/reports/lazy.tsx';
import { languageOf } from '../../../shared/i18n/text-language.ts';
import { shortDay } from '../../../shared/lib/days.ts';
import type { ReturnTo } from '../../../shared/lib/return-to.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { MoreButton } from '../../../shared/ui/Loaded.tsx';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import classes from './Log.module.css';
import { PictureButton, PictureChoice, type PictureChooser, usePictureChooser } from './PictureChoice.tsx';

interface EntryProps {
  challenge: Challenge;
  entry: LogEntry;
  isOwn: boolean;
  /** Undefined for who may not choose the challenge's picture. */
  chooser: PictureChooser | undefined;
}

function Entry({ challenge, entry, isOwn, chooser }: EntryProps) {
  const t = useLogTranslations();
  const { id, user, completedAt, checkedIn, note, photo, hidden } = entry;
  return (
    <li className={classes.entry}>
      <UserAvatar user={user} size={44} />
      <div className={classes.words}>
        <div className={classes.head}>
          <div className={classes.who}>
            <Link to={`/users/${user.id}`}>{user.username}</Link>
            <time dateTime={completedAt}>
              {shortDay(localDate(challenge.timeZone, new Date(completedAt)))}
            </time>
            {checkedIn && <CheckInBadge />}
          </div>
          {entry.can?.report && <LazyReportButton kind="completion" id={id} />}
        </div>
        {hidden && (
          <p className={classes.hidden}>
            {t('hidden')}
            {isOwn && <Link to="/decisions">{t('decisions')}</Link>}
          </p>
        )}
        {note && (
          <p className={classes.note} lang={languageOf(note)}>
            {note}
          </p>
        )}
        {photo && <EntryPhoto key={photo} entry={entry} photo={photo} />}
        <ThanksButton entry={entry} isOwn={isOwn} />
        {photo && !hidden && chooser && <PictureButton of={chooser} entry={entry} />}
      </div>
    </li>
  );
}

/** Whether a person's participation in a challenge is known, and no older response is pending. */
function selectIsParticipationKnown(state: ParticipationsState, challengeId: number, userId: number) {
  const { list, participants } = participationsSlice.selectSlice(state);
  const isRequested = participants?.challengeId === challengeId && participants.userId === userId;
  return (isRequested ? participants.request : list).state === 'ready';
}

/** The log for members, with a form for one's own entry. */
function Entries({ challenge, userId }: { challenge: Challenge; userId: number }) {
  const t = useLogTranslations();
  const participation = useSelector((state: ParticipationsState) =>
    selectOwnParticipation(state, challenge.id),
  );
  const isParticipationKnown = useSelector((state: ParticipationsState) =>
    selectIsParticipationKnown(state, challenge.id, userId),
  );
  const isParticipationUnknown = useSelector(selectParticipantsState) === 'failed';
  const ownId = participation?.completed ? participation.id : null;
  const { data: mine, replace } = useResource(
    'getLogEntry',
    ownId === null ? null : { params: { id: ownId } },
  );
  const log = useResource(
    'listLog',
    isParticipationKnown || isParticipationUnknown ? { params: { id: challenge.id } } : null,
  );
  const chooser = usePictureChooser(challenge);
  if (log.state === 'failed') return <Failure onRetry={log.refetch}>{t('failed')}</Failure>;
  if (!log.data) {
    return (
      <Pending className={classes.list}>
        <Skeleton height={76} radius="lg" />
        <Skeleton height={76} radius="lg" />
      </Pending>
    );
  }
  return (
    <>
      {ownId !== null && mine && (
        <OwnEntry
          key={ownId}
          participationId={ownId}
          name={nameOf(challenge)}
          entry={mine}
          onSaved={replace}
        />
      )}
      {chooser && log.pages.flat().some(({ photo }) => photo) && <PictureChoice of={chooser} />}
      {log.data.length === 0 ? (
        <p className={classes.none}>{t('none')}</p>
      ) : (
        <ol className={classes.list} aria-label={t('title')}>
          {log.pages.flat().map((entry) => (
            <Entry
              key={entry.id}
              challenge={challenge}
              entry={mine?.id === entry.id ? mine : entry}
              isOwn={entry.user.id === userId}
              chooser={chooser}
            />
          ))}
        </ol>
      )}
      <MoreButton of={log} className={classes.more}>
        {t('more')}
      </MoreButton>
      <FormError>{log.loadingMore.error}</FormError>
    </>
  );
}

/** The log of a challenge: who completed it, with notes and photos. */
export function Log({ challenge }: { challenge: Challenge }) {
  const t = useLogTranslations();
  const isStarting = useSelector(selectAuthStatus) === 'starting';
  const userId = useSelector(selectUser)?.id;
  const state: ReturnTo = { from: `/challenges/${challenge.id}` };
  return (
    <section className={classes.section} aria-labelledby="log-title">
      <h2 id="log-title">{t('title')}</h2>
      {userId !== undefined ? (
        <Entries challenge={challenge} userId={userId} />
      ) : (
        !isStarting && (
          <p className={classes.none}>
            {t('loginFirst')}
            <Link to="/login" state={state}>
              {t('login')}
            </Link>
          </p>
        )
      )}
    </section>
  );
}

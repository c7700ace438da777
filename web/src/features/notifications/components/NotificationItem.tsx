import { VisuallyHidden } from '@mantine/core';
import {
  IconClockHour4,
  IconDownload,
  IconDownloadOff,
  IconEdit,
  IconFlag,
  IconLock,
  IconTrash,
} from '@tabler/icons-react';
import { type Notification, notificationPath } from '@wayquest/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useTranslations } from '../translations.ts';
import classes from './NotificationList.module.css';

type Change = NonNullable<Notification['change']>;

const changes = {
  edited: { sentence: 'challengeEdited', Icon: IconEdit },
  closed: { sentence: 'challengeClosed', Icon: IconLock },
  deleted: { sentence: 'challengeDeleted', Icon: IconTrash },
} as const;

const isOfChallenge = (change: Change | null): change is keyof typeof changes =>
  change !== null && Object.hasOwn(changes, change);

const decisions = {
  hidden: 'decidedHidden',
  removed: 'decidedRemoved',
  'log-entry-hidden': 'decidedEntryHidden',
  deleted: 'decidedDeleted',
  suspended: 'decidedSuspended',
  restored: 'decidedRestored',
  upheld: 'decidedUpheld',
  'points-flagged': 'pointsFlagged',
  'points-approved': 'pointsApproved',
  'points-revoked': 'pointsRevoked',
  edited: 'decidedUpheld',
  closed: 'decidedUpheld',
} as const satisfies Record<Change, string>;

/** Of challenges whose name is not known any more. */
const unnamed = {
  decidedRestored: 'decisionReversed',
  pointsFlagged: 'somePointsFlagged',
  pointsApproved: 'somePointsApproved',
  pointsRevoked: 'somePointsRevoked',
} as const;

const isUnnamed = (key: string): key is keyof typeof unnamed => Object.hasOwn(unnamed, key);

const icons: Partial<Record<Notification['kind'], typeof IconFlag>> = {
  'moderation-decided': IconFlag,
  'archive-ready': IconDownload,
  'archive-failed': IconDownloadOff,
};

const sentences = {
  'friend-requested': 'friendRequested',
  'friend-accepted': 'friendAccepted',
  'challenge-joined': 'challengeJoined',
  'challenge-completed': 'challengeCompleted',
  'completion-thanked': 'completionThanked',
  'challenge-ending': 'challengeEnding',
  'archive-ready': 'archiveReady',
  'archive-failed': 'archiveFailed',
} as const;

function Picture({ notification: { people, kind, change } }: { notification: Notification }) {
  const [first] = people;
  if (first) return <UserAvatar user={first} size={44} />;
  const Icon =
    kind === 'challenge-changed'
      ? changes[isOfChallenge(change) ? change : 'edited'].Icon
      : (icons[kind] ?? IconClockHour4);
  return (
    <span className={classes.icon}>
      <Icon size={22} stroke={1.75} aria-hidden />
    </span>
  );
}

function useSentence({ kind, people, count, challenge, change, reason = '' }: Notification): string {
  const t = useTranslations();
  const [first, second] = people.map(({ username }) => username);
  const who = () => {
    if (!first) return t('somebody');
    if (!second || count < 2) return first;
    return count === 2 ? t('both', { first, second }) : t('many', { first, second, count: count - 2 });
  };
  const name = { who: who(), challenge: challenge ? nameOf(challenge) : '', reason };
  if (kind === 'challenge-changed')
    return t(changes[isOfChallenge(change) ? change : 'edited'].sentence, name);
  if (kind === 'moderation-decided') {
    const key = decisions[change ?? 'upheld'];
    return t(!name.challenge && isUnnamed(key) ? unnamed[key] : key, name);
  }
  return t(sentences[kind], name);
}

/** A notification; the whole item links to its subject. */
export function NotificationItem({
  notification,
  onRead,
}: {
  notification: Notification;
  onRead: () => void;
}) {
  const t = useTranslations();
  const { at, read } = notification;
  const sentence = useSentence(notification);
  const address = notificationPath(notification);
  const words: ReactNode = (
    <>
      <Picture notification={notification} />
      <span className={classes.words}>
        <span>{sentence}</span>
        <time dateTime={at}>{relativeTime(at, serverNow())}</time>
      </span>
      {!read && (
        <span className={classes.dot}>
          <VisuallyHidden>{t('unread')}</VisuallyHidden>
        </span>
      )}
    </>
  );
  return (
    <li className={classes.item} data-unread={!read || undefined}>
      {address ? (
        <Link to={address} className={classes.row ?? ''} onClick={read ? undefined : onRead}>
          {words}
        </Link>
      ) : (
        <div className={classes.row}>{words}</div>
      )}
    </li>
  );
}

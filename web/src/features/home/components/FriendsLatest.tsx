import type { FriendsEntry } from '@wayquest/contracts';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { usePhotoUrl } from '../../../entities/challenge-log/photo-url.ts';
import { ThanksButton } from '../../../entities/challenge-log/ThanksButton.tsx';
import { useLogTranslations } from '../../../entities/challenge-log/translations.ts';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useIsNearViewport } from '../../../shared/ui/use-is-near-viewport.ts';
import { useBoardTranslations } from '../board-translations.ts';
import { FriendsSkeleton } from './BoardSkeleton.tsx';
import classes from './FriendsLatest.module.css';

/** How many are shown: two rows on a desktop. */
const shown = 6;

/** The photo of a completion, loaded when it is scrolled near. */
function Photo({ entry: { id, user }, photo }: { entry: FriendsEntry; photo: string }) {
  const t = useLogTranslations();
  const { ref, isNearViewport } = useIsNearViewport<HTMLDivElement>('400px');
  const { url } = usePhotoUrl({ id, photo, size: 'card' }, isNearViewport);
  return (
    <div ref={ref} className={classes.photo}>
      {url && <img src={url} width={640} height={400} alt={t('photoBy', { username: user.username })} />}
    </div>
  );
}

function Item({ entry }: { entry: FriendsEntry }) {
  const t = useBoardTranslations();
  const { user, challenge, completedAt, photo } = entry;
  return (
    <li className={classes.item}>
      <UserAvatar user={user} size={44} />
      <div className={classes.words}>
        <p className={classes.who}>{user.username}</p>
        <Link to={`/challenges/${challenge.id}`}>{nameOf(challenge)}</Link>
        <p className={classes.when}>{t('completed', { when: relativeTime(completedAt, serverNow()) })}</p>
        <ThanksButton entry={entry} isOwn={false} />
      </div>
      {photo && <Photo key={photo} entry={entry} photo={photo} />}
    </li>
  );
}

/** The latest completions of friends, with their photos; nothing without friends. */
export default function FriendsLatest() {
  const t = useBoardTranslations();
  const titleId = useId();
  const { state, error, data, refetch } = useResource('listFriendsLog', { query: { limit: String(shown) } });
  if (data && !data.hasFriends) return null;
  if (!data && state !== 'failed') return <FriendsSkeleton />;
  return (
    <section className={classes.latest} aria-labelledby={titleId}>
      <h2 id={titleId}>{t('friends')}</h2>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {data?.entries.length === 0 && <Empty>{t('noActivity')}</Empty>}
      {data && data.entries.length > 0 && (
        <ul className={classes.list}>
          {data.entries.map((entry) => (
            <Item key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  );
}

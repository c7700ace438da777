import { Button, Paper, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { PublicUser, ViewedUser } from '@wayquest/contracts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { SendMessageButton } from '../../../entities/conversations/SendMessageButton.tsx';
import { FriendButton } from '../../../entities/friends/FriendButton.tsx';
import {
  removeRequested,
  selectFriendsState,
  selectIsPending,
  selectRelation,
  selectRequestWith,
} from '../../../entities/friends/slice.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { readId } from '../../../shared/lib/query-params.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import {
  selectIsUserNotFound,
  selectUserById,
  selectUserError,
  selectUserState,
  userRequested,
  type usersSlice,
} from '../slice.ts';
import classes from './PublicProfile.module.css';

type FriendsState = Parameters<typeof selectRelation>[0];

const labels = { friends: 'removeFriend', sent: 'cancelInvitation', received: 'decline' } as const;

/** Ends a friendship, after a confirmation, or withdraws a request. */
function RemoveFriendButton({
  user: { id, username },
  className,
}: {
  user: PublicUser;
  className: string | undefined;
}) {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const relation = useSelector((state: FriendsState) => selectRelation(state, id));
  const request = useSelector((state: FriendsState) => selectRequestWith(state, id));
  const pending = useSelector((state: FriendsState) => selectIsPending(state, id));
  if (!request || relation === 'self' || relation === 'none') return null;
  const remove = () => {
    dialog.current?.close();
    dispatch(removeRequested({ id: request.id, otherId: id }));
  };
  return (
    <>
      <Button
        className={className ?? ''}
        variant="subtle"
        color="gray"
        size="sm"
        disabled={pending}
        onClick={() => (relation === 'friends' ? dialog.current?.showModal() : remove())}
      >
        {t(labels[relation])}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('removeTitle', { username })}
        confirmLabel={t('removeFriend')}
        cancelLabel={t('cancel')}
        busy={pending}
        onConfirm={remove}
      >
        <p>{t('removeDescription')}</p>
      </ConfirmDialog>
    </>
  );
}

/** Actions on another user's page. */
function ProfileActions({ user }: { user: ViewedUser }) {
  const t = usePeopleTranslations();
  const relation = useSelector((state: FriendsState) => selectRelation(state, user.id));
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div className={classes.actions} {...focusFallback}>
      {relation === 'self' && (
        <Button component={Link} to="/profile" variant="default">
          {t('thisIsYou')}
        </Button>
      )}
      <FriendButton user={user} variant="filled" />
      {relation === 'friends' && <SendMessageButton friendId={user.id} variant="filled" />}
      <RemoveFriendButton user={user} className={classes.part} />
    </div>
  );
}

type State = Parameters<typeof usersSlice.selectSlice>[0];

/** A user's public profile, with further content below. */
export function PublicProfile({ children }: { children: ReactNode }) {
  const t = usePeopleTranslations();
  const common = useCommonTranslations();
  const dispatch = useDispatch();
  const id = readId(useParams().id);
  const user = useSelector((state: State) => selectUserById(state, id));
  const state = useSelector(selectUserState);
  const error = useSelector(selectUserError);
  const gone = useSelector(selectIsUserNotFound);
  const status = useSelector(selectAuthStatus);
  const friends = useSelector(selectFriendsState);
  // The page waits for the relation: the actions for a friend need more space, and would move the content.
  const isRelated =
    status === 'visitor' || status === 'failed' || friends === 'ready' || friends === 'failed';
  useEffect(() => {
    dispatch(userRequested(id));
  }, [dispatch, id]);
  if (gone && !user) {
    const action = (
      <Button component={Link} to="/users">
        {common('findUsers')}
      </Button>
    );
    return (
      <Page width="medium">
        <PageTitle mb={24} takesFocus>
          {t('gone')}
        </PageTitle>
        <Empty action={action}>{t('goneDescription')}</Empty>
      </Page>
    );
  }
  if (!user || !isRelated) {
    return (
      <Page width="medium">
        {state === 'failed' ? (
          <>
            <PageTitle mb={24}>{t('profile')}</PageTitle>
            <Failure
              onRetry={() => dispatch(userRequested(id))}
              action={<Link to="/users">{common('findUsers')}</Link>}
            >
              {error}
            </Failure>
          </>
        ) : (
          <>
            <VisuallyHidden component="h1">{t('profile')}</VisuallyHidden>
            <Pending>
              <Skeleton height={260} radius="lg" />
            </Pending>
          </>
        )}
      </Page>
    );
  }
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const place = [user.city, user.state].filter(Boolean).join(', ');
  return (
    <Page width="medium" key={id}>
      <Paper className={classes.card} radius="lg">
        <UserAvatar user={user} size={120} />
        <PageTitle mt={16}>{user.username}</PageTitle>
        {name && <Text size="lg">{name}</Text>}
        {place && <Text c="dimmed">{place}</Text>}
        <p className={classes.points}>{common('points', { count: user.points })}</p>
        <ProfileActions user={user} />
      </Paper>
      {children}
    </Page>
  );
}

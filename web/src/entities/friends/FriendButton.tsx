import { Button, type ButtonProps, Skeleton } from '@mantine/core';
import { IconCheck, IconUserPlus } from '@tabler/icons-react';
import type { ViewedUser } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  blocksRequested,
  type blocksSlice,
  selectBlocksState,
  selectIsBlockChanging,
  selectIsBlocked,
  unblockRequested,
} from '../blocks/slice.ts';
import { useBlockTranslations } from '../blocks/translations.ts';
import classes from './FriendButton.module.css';
import {
  acceptRequested,
  friendRequested,
  selectFriendsState,
  selectIsPending,
  selectRelation,
  selectRequestWith,
} from './slice.ts';
import { usePeopleTranslations } from './translations.ts';

type State = Parameters<typeof selectRelation>[0] & Parameters<typeof blocksSlice.selectSlice>[0];

interface Props {
  user: ViewedUser;
  /** The style of the first step: inconspicuous in lists, prominent as the page's main action. */
  variant?: ButtonProps['variant'];
}

/** The next step of a friendship: send a request where they accept some, accept one, unblock, or show that they are friends. */
export function FriendButton({ user, variant = 'light' }: Props) {
  const { id, username, can } = user;
  const t = usePeopleTranslations();
  const ofBlocks = useBlockTranslations();
  const dispatch = useDispatch();
  const list = useSelector(selectFriendsState);
  const relation = useSelector((state: State) => selectRelation(state, id));
  const request = useSelector((state: State) => selectRequestWith(state, id));
  const pending = useSelector((state: State) => selectIsPending(state, id));
  const blocks = useSelector(selectBlocksState);
  const isBlocked = useSelector((state: State) => selectIsBlocked(state, id));
  const unblocking = useSelector(selectIsBlockChanging);
  useEffect(() => {
    if (blocks === 'idle') dispatch(blocksRequested());
  }, [dispatch, blocks]);
  if (relation === 'self') return null;
  if ([list, blocks].some((state) => state === 'idle' || state === 'loading'))
    return <Skeleton height={44} />;
  if (isBlocked) {
    return (
      <div className={classes.blocked}>
        <p role="status">{ofBlocks('youBlocked', { username })}</p>
        <Button variant="default" loading={unblocking} onClick={() => dispatch(unblockRequested(user))}>
          {ofBlocks('unblock')}
        </Button>
      </div>
    );
  }
  if (relation === 'friends') {
    return (
      <span className={classes.friends}>
        <IconCheck size={20} aria-hidden />
        {t('friends')}
      </span>
    );
  }
  if (relation === 'received' && request) {
    return (
      <Button loading={pending} onClick={() => dispatch(acceptRequested({ id: request.id, otherId: id }))}>
        {t('accept')}
      </Button>
    );
  }
  // One button for both states, so that it keeps the keyboard's focus.
  const invited = relation === 'sent';
  if (!invited && can && !can.befriend) return <p className={classes.none}>{t('noFriendRequests')}</p>;
  return (
    <Button
      variant={variant}
      loading={pending}
      disabled={invited}
      leftSection={invited ? <IconCheck size={18} aria-hidden /> : <IconUserPlus size={18} aria-hidden />}
      onClick={() => dispatch(friendRequested(id))}
    >
      {t(invited ? 'invitationSent' : 'addFriend')}
    </Button>
  );
}

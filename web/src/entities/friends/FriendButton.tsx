import { Button, type ButtonProps, Skeleton } from '@mantine/core';
import { IconCheck, IconUserPlus } from '@tabler/icons-react';
import type { PublicUser } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import classes from './FriendButton.module.css';
import { selectFriendsState, selectIsPending, selectRelation, selectRequestWith } from './selectors.ts';
import { acceptRequested, friendAsked } from './slice.ts';
import { usePeopleWords } from './words.ts';

type State = Parameters<typeof selectRelation>[0];

interface Props {
  user: PublicUser;
  /** How the first step looks: quiet among many people, loud where it is the page's one. */
  variant?: ButtonProps['variant'];
}

/** What the person can do about being friends with somebody: ask, wait, accept, or see that they are. */
export function FriendButton({ user: { id }, variant = 'light' }: Props) {
  const t = usePeopleWords();
  const dispatch = useDispatch();
  const list = useSelector(selectFriendsState);
  const relation = useSelector((state: State) => selectRelation(state, id));
  const request = useSelector((state: State) => selectRequestWith(state, id));
  const pending = useSelector((state: State) => selectIsPending(state, id));
  if (relation === 'self') return null;
  if (list === 'idle' || list === 'loading') return <Skeleton height={44} />;
  if (relation === 'friends') {
    return (
      <span className={classes.friends}>
        <IconCheck size={20} aria-hidden />
        {t('friends')}
      </span>
    );
  }
  if (relation === 'asked' && request) {
    return (
      <Button loading={pending} onClick={() => dispatch(acceptRequested({ id: request.id, otherId: id }))}>
        {t('accept')}
      </Button>
    );
  }
  // The one button goes from the one state to the other, so that the keyboard's focus stays on it.
  const invited = relation === 'invited';
  return (
    <Button
      variant={variant}
      loading={pending}
      disabled={invited}
      leftSection={invited ? <IconCheck size={18} aria-hidden /> : <IconUserPlus size={18} aria-hidden />}
      onClick={() => dispatch(friendAsked(id))}
    >
      {t(invited ? 'invitationSent' : 'addFriend')}
    </Button>
  );
}

import { Button } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { FriendButton } from '../../friends/components/FriendButton.tsx';
import { PartButton } from '../../friends/components/PartButton.tsx';
import { SendMessageButton } from '../../friends/components/SendMessageButton.tsx';
import { selectRelation } from '../../friends/selectors.ts';
import classes from '../routes/PublicProfile.module.css';

type State = Parameters<typeof selectRelation>[0];

/** What the person can do on somebody's page. */
export function ProfileActions({ user }: { user: PublicUser }) {
  const relation = useSelector((state: State) => selectRelation(state, user.id));
  return (
    <div className={classes.actions}>
      {relation === 'self' && (
        <Button component={Link} to="/profile" variant="default">
          This is you
        </Button>
      )}
      <FriendButton user={user} variant="filled" />
      {relation === 'friends' && <SendMessageButton friendId={user.id} variant="filled" />}
      <PartButton user={user} className={classes.part} />
    </div>
  );
}

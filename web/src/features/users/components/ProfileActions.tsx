import { Button } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { SendMessageButton } from '../../../entities/conversations/SendMessageButton.tsx';
import { FriendButton } from '../../../entities/friends/FriendButton.tsx';
import { PartButton } from '../../../entities/friends/PartButton.tsx';
import { selectRelation } from '../../../entities/friends/selectors.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { useKeptFocus } from '../../../shared/ui/use-kept-focus.ts';
import classes from '../routes/PublicProfile.module.css';

type State = Parameters<typeof selectRelation>[0];

/** Actions on another user's page. */
export function ProfileActions({ user }: { user: PublicUser }) {
  const t = usePeopleTranslations();
  const relation = useSelector((state: State) => selectRelation(state, user.id));
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div className={classes.actions} {...keptFocus}>
      {relation === 'self' && (
        <Button component={Link} to="/profile" variant="default">
          {t('thisIsYou')}
        </Button>
      )}
      <FriendButton user={user} variant="filled" />
      {relation === 'friends' && <SendMessageButton friendId={user.id} variant="filled" />}
      <PartButton user={user} className={classes.part} />
    </div>
  );
}

import { Button, Text } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  selectFriends,
  selectFriendsError,
  selectFriendsState,
} from '../../../entities/friends/selectors.ts';
import { friendRequestsRequested } from '../../../entities/friends/slice.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { FriendCard } from '../components/FriendCard.tsx';

const findPeople = (
  <Button component={Link} to="/users">
    Find users
  </Button>
);

function List() {
  const dispatch = useDispatch();
  const friends = useSelector(selectFriends);
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton what="your friends" />;
  if (friends.length === 0) return <Empty action={findPeople}>No Friends, go find some!</Empty>;
  return (
    <PersonGrid label="Friends">
      {friends.map((friend) => (
        <li key={friend.id}>
          <FriendCard friend={friend} />
        </li>
      ))}
    </PersonGrid>
  );
}

/** The people the person explores with. */
export default function Friends() {
  return (
    <Page>
      <PageTitle>Friends</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        The people you explore with.
      </Text>
      <List />
    </Page>
  );
}

import { Button, Text } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { RequestCard } from '../components/RequestCard.tsx';
import { selectFriendsError, selectFriendsState, selectIncoming } from '../selectors.ts';
import { friendRequestsRequested } from '../slice.ts';

const findPeople = (
  <Button component={Link} to="/users" variant="default">
    Find users
  </Button>
);

function List() {
  const dispatch = useDispatch();
  const requests = useSelector(selectIncoming);
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton what="friend requests" count={3} />;
  if (requests.length === 0) return <Empty action={findPeople}>No pending requests</Empty>;
  return (
    <PersonGrid label="Pending friend requests">
      {requests.map((request) => (
        <li key={request.id}>
          <RequestCard request={request} />
        </li>
      ))}
    </PersonGrid>
  );
}

/** Who asked to be a friend and waits for an answer. */
export default function FriendRequests() {
  return (
    <Page>
      <PageTitle>Friend Requests</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        Say yes to the people you know, or would like to.
      </Text>
      <List />
    </Page>
  );
}

import { Button, Text } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  selectFriends,
  selectFriendsError,
  selectFriendsState,
} from '../../../entities/friends/selectors.ts';
import { friendRequestsRequested } from '../../../entities/friends/slice.ts';
import { usePeopleWords } from '../../../entities/friends/words.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { useCommonWords } from '../../../shared/words/common.ts';
import { FriendCard } from '../components/FriendCard.tsx';

function FindPeople() {
  const t = useCommonWords();
  return (
    <Button component={Link} to="/users">
      {t('findUsers')}
    </Button>
  );
}

function List() {
  const t = usePeopleWords();
  const common = useCommonWords();
  const dispatch = useDispatch();
  const friends = useSelector(selectFriends);
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton />;
  if (friends.length === 0) return <Empty action={<FindPeople />}>{common('noFriends')}</Empty>;
  return (
    <PersonGrid label={t('friends')}>
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
  const t = usePeopleWords();
  return (
    <Page>
      <PageTitle>{t('friends')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        {t('friendsLead')}
      </Text>
      <List />
    </Page>
  );
}

import '@mantine/core/styles/Input.layer.css';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { SendMessageButton } from '../../../entities/conversations/SendMessageButton.tsx';
import { selectConversations } from '../../../entities/conversations/slice.ts';
import { PeopleTabs } from '../../../entities/friends/PeopleTabs.tsx';
import { PresenceAvatar } from '../../../entities/friends/PresenceAvatar.tsx';
import { SearchField } from '../../../entities/friends/SearchField.tsx';
import { useSearchTranslations } from '../../../entities/friends/search-translations.ts';
import {
  friendRequestsRequested,
  selectFriends,
  selectFriendsError,
  selectFriendsState,
} from '../../../entities/friends/slice.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { selectOnline } from '../../../entities/realtime/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { fullName, matchesName } from '../../../shared/lib/names.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { PersonCard, PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { sortFriends } from '../friend-order.ts';
import classes from './Friends.module.css';

function FindPeople() {
  const t = useCommonTranslations();
  return (
    <Button component={Link} to="/users">
      {t('findUsers')}
    </Button>
  );
}

/** A friend, with a button to send a message. */
function FriendCard({ friend }: { friend: PublicUser }) {
  const t = usePeopleTranslations();
  const place = [friend.city, friend.state].filter(Boolean).join(' ');
  const name = fullName(friend);
  const words = place ? (name ? t('nameFrom', { name, place }) : t('from', { place })) : name;
  return (
    <PersonCard
      user={friend}
      avatar={<PresenceAvatar user={friend} size={64} />}
      actions={<SendMessageButton friendId={friend.id} />}
    >
      {words && <p title={words}>{words}</p>}
    </PersonCard>
  );
}

function useSortedFriends(): PublicUser[] {
  const friends = useSelector(selectFriends);
  const online = useSelector(selectOnline);
  const conversations = useSelector(selectConversations);
  return useMemo(() => sortFriends(friends, { online, conversations }), [friends, online, conversations]);
}

function List() {
  const t = usePeopleTranslations();
  const ofSearch = useSearchTranslations();
  const common = useCommonTranslations();
  const dispatch = useDispatch();
  const friends = useSortedFriends();
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  const [text, setText] = useState('');
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton rows />;
  if (friends.length === 0) return <Empty action={<FindPeople />}>{common('noFriends')}</Empty>;
  // Filtered here, since all friends are loaded.
  const shown = friends.filter((friend) => matchesName(friend, text));
  return (
    <>
      <div className={classes.search}>
        <SearchField text={text} onChange={setText} />
      </div>
      <VisuallyHidden role="status">
        {text.trim() && ofSearch('friendsFound', { count: shown.length })}
      </VisuallyHidden>
      {shown.length === 0 ? (
        <Empty>{ofSearch('noFriendFound', { text: text.trim() })}</Empty>
      ) : (
        <PersonGrid label={t('friends')} rows>
          {shown.map((friend) => (
            <li key={friend.id}>
              <FriendCard friend={friend} />
            </li>
          ))}
        </PersonGrid>
      )}
    </>
  );
}

/** The person's friends. */
export default function Friends() {
  const t = usePeopleTranslations();
  return (
    <Page>
      <PeopleTabs />
      <PageTitle>{t('friends')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        {t('friendsLead')}
      </Text>
      <List />
    </Page>
  );
}

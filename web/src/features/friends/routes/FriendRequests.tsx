import { Button, Text } from '@mantine/core';
import type { FriendRequest } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { PeopleTabs } from '../../../entities/friends/PeopleTabs.tsx';
import {
  acceptRequested,
  friendRequestsRequested,
  removeRequested,
  selectFriendsError,
  selectFriendsState,
  selectIncoming,
  selectIsPending,
} from '../../../entities/friends/slice.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { fullName } from '../../../shared/lib/names.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { PersonCard, PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';

function FindPeople() {
  const t = useCommonTranslations();
  return (
    <Button component={Link} to="/users" variant="default">
      {t('findUsers')}
    </Button>
  );
}

type State = Parameters<typeof selectIsPending>[0];

/** A received friend request. */
function RequestCard({ request: { id, user } }: { request: FriendRequest }) {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const pending = useSelector((state: State) => selectIsPending(state, user.id));
  const target = { id, otherId: user.id };
  const place = [user.city, user.state].filter(Boolean).join(', ');
  return (
    <PersonCard
      user={user}
      actions={
        <>
          <Button
            disabled={pending}
            aria-label={t('acceptName', { username: user.username })}
            onClick={() => dispatch(acceptRequested(target))}
          >
            {t('accept')}
          </Button>
          <Button
            variant="default"
            disabled={pending}
            aria-label={t('declineName', { username: user.username })}
            onClick={() => dispatch(removeRequested(target))}
          >
            {t('decline')}
          </Button>
        </>
      }
    >
      {fullName(user) && <p>{fullName(user)}</p>}
      {place && <p>{place}</p>}
    </PersonCard>
  );
}

function List() {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const requests = useSelector(selectIncoming);
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton count={3} />;
  return (
    <div {...focusFallback}>
      {requests.length === 0 && <Empty action={<FindPeople />}>{t('noRequests')}</Empty>}
      {requests.length > 0 && (
        <PersonGrid label={t('pendingRequests')}>
          {requests.map((request) => (
            <li key={request.id}>
              <RequestCard request={request} />
            </li>
          ))}
        </PersonGrid>
      )}
    </div>
  );
}

/** The received friend requests. */
export default function FriendRequests() {
  const t = usePeopleTranslations();
  return (
    <Page>
      <PeopleTabs />
      <PageTitle>{t('requests')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        {t('requestsLead')}
      </Text>
      <List />
    </Page>
  );
}

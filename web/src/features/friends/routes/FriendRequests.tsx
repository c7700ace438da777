import { Button, Text } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  selectFriendsError,
  selectFriendsState,
  selectIncoming,
} from '../../../entities/friends/selectors.ts';
import { friendRequestsRequested } from '../../../entities/friends/slice.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { useKeptFocus } from '../../../shared/ui/use-kept-focus.ts';
import { RequestCard } from '../components/RequestCard.tsx';

function FindPeople() {
  const t = useCommonTranslations();
  return (
    <Button component={Link} to="/users" variant="default">
      {t('findUsers')}
    </Button>
  );
}

function List() {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const requests = useSelector(selectIncoming);
  const state = useSelector(selectFriendsState);
  const error = useSelector(selectFriendsError);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(friendRequestsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <PersonGridSkeleton count={3} />;
  return (
    <div {...keptFocus}>
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
      <PageTitle>{t('requests')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32}>
        {t('requestsLead')}
      </Text>
      <List />
    </Page>
  );
}

import { Button } from '@mantine/core';
import type { FriendRequest } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { selectIsPending } from '../../../entities/friends/selectors.ts';
import { acceptRequested, removeRequested } from '../../../entities/friends/slice.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { fullName } from '../../../shared/lib/person.ts';
import { PersonCard } from '../../../shared/ui/PersonCard.tsx';

type State = Parameters<typeof selectIsPending>[0];

/** A received friend request. */
export function RequestCard({ request: { id, user } }: { request: FriendRequest }) {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const pending = useSelector((state: State) => selectIsPending(state, user.id));
  const about = { id, otherId: user.id };
  const place = [user.city, user.state].filter(Boolean).join(', ');
  return (
    <PersonCard
      user={user}
      actions={
        <>
          <Button
            disabled={pending}
            aria-label={t('acceptName', { username: user.username })}
            onClick={() => dispatch(acceptRequested(about))}
          >
            {t('accept')}
          </Button>
          <Button
            variant="default"
            disabled={pending}
            aria-label={t('declineName', { username: user.username })}
            onClick={() => dispatch(removeRequested(about))}
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

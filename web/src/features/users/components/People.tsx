import { useDispatch, useSelector } from 'react-redux';
import { useSearchTranslations } from '../../../entities/friends/search-translations.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import {
  peopleSearched,
  selectFoundBy,
  selectPeople,
  selectPeopleError,
  selectPeopleState,
  selectSearchText,
} from '../people-slice.ts';
import { UserCard } from './UserCard.tsx';

/** The users found, or suggested. */
export function People() {
  const t = useSearchTranslations();
  const dispatch = useDispatch();
  const text = useSelector(selectSearchText);
  const foundBy = useSelector(selectFoundBy).trim();
  const people = useSelector(selectPeople);
  const state = useSelector(selectPeopleState);
  const error = useSelector(selectPeopleError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(peopleSearched(text))}>{error}</Failure>;
  // Users already shown stay until the next ones are loaded; without any there is a placeholder.
  const asking = state !== 'ready' && (people.length === 0 || Boolean(foundBy) !== Boolean(text.trim()));
  if (asking) return <PersonGridSkeleton />;
  if (people.length === 0) {
    return <Empty>{foundBy ? t('nobodyFound', { text: foundBy }) : t('nobodySuggested')}</Empty>;
  }
  return (
    <PersonGrid label={t(foundBy ? 'foundUsers' : 'suggested')}>
      {people.map((user) => (
        <li key={user.id}>
          <UserCard user={user} />
        </li>
      ))}
    </PersonGrid>
  );
}

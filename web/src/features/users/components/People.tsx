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

/** Who was found, or who might be a friend. */
export function People() {
  const t = useSearchTranslations();
  const dispatch = useDispatch();
  const text = useSelector(selectSearchText);
  const foundBy = useSelector(selectFoundBy).trim();
  const people = useSelector(selectPeople);
  const state = useSelector(selectPeopleState);
  const error = useSelector(selectPeopleError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(peopleSearched(text))}>{error}</Failure>;
  // People already shown stay until the next ones are here; where there are none, something has to hold the place.
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

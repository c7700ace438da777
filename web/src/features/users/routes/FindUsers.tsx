import '@mantine/core/styles/Input.layer.css';
import { VisuallyHidden } from '@mantine/core';
import { type PublicUser, textLimits, type ViewedUser } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { FriendButton } from '../../../entities/friends/FriendButton.tsx';
import { PeopleTabs } from '../../../entities/friends/PeopleTabs.tsx';
import { SearchField } from '../../../entities/friends/SearchField.tsx';
import { useSearchTranslations } from '../../../entities/friends/search-translations.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { fullName } from '../../../shared/lib/names.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { PersonCard, PersonGrid, PersonGridSkeleton } from '../../../shared/ui/PersonCard.tsx';
import { isTooLong } from '../../../shared/ui/text-limit.ts';
import {
  peopleSearched,
  searchTyped,
  selectPeople,
  selectPeopleError,
  selectPeopleState,
  selectResultsText,
  selectSearchText,
} from '../slice.ts';
import classes from './FindUsers.module.css';

/** The number of results, for screen readers. */
function Count() {
  const t = useSearchTranslations();
  const count = useSelector(selectPeople).length;
  const ready = useSelector(selectPeopleState) === 'ready';
  const resultsText = useSelector(selectResultsText).trim();
  return <VisuallyHidden role="status">{ready && resultsText && t('foundCount', { count })}</VisuallyHidden>;
}

const isSameTown = (one: PublicUser, other: PublicUser | null): boolean =>
  one.city !== '' && one.city === other?.city && one.state === other.state;

/** A user in a list; a suggested one with the reason, if it is known. */
function UserCard({ user, isSuggested }: { user: ViewedUser; isSuggested: boolean }) {
  const t = usePeopleTranslations();
  const me = useSelector(selectUser);
  const place = [user.city, user.state].filter(Boolean).join(', ');
  return (
    <PersonCard user={user} actions={<FriendButton user={user} />}>
      {fullName(user) && <p>{fullName(user)}</p>}
      {place && <p>{place}</p>}
      {isSuggested && isSameTown(user, me) && <p>{t('sameTown')}</p>}
    </PersonCard>
  );
}

/** The users found, or suggested. */
function People() {
  const t = useSearchTranslations();
  const dispatch = useDispatch();
  const text = useSelector(selectSearchText);
  const resultsText = useSelector(selectResultsText).trim();
  const people = useSelector(selectPeople);
  const state = useSelector(selectPeopleState);
  const error = useSelector(selectPeopleError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(peopleSearched(text))}>{error}</Failure>;
  // Users already shown stay until the next ones are loaded; without any there is a placeholder.
  const isLoading =
    state !== 'ready' && (people.length === 0 || Boolean(resultsText) !== Boolean(text.trim()));
  if (isLoading) return <PersonGridSkeleton />;
  if (people.length === 0) {
    return <Empty>{resultsText ? t('nobodyFound', { text: resultsText }) : t('nobodySuggested')}</Empty>;
  }
  return (
    <PersonGrid label={t(resultsText ? 'foundUsers' : 'suggested')}>
      {people.map((user) => (
        <li key={user.id}>
          <UserCard user={user} isSuggested={!resultsText} />
        </li>
      ))}
    </PersonGrid>
  );
}

/** Search for users. The URL contains the text, so that going back shows the results again. */
export default function FindUsers() {
  const t = usePeopleTranslations();
  const ofSearch = useSearchTranslations();
  const dispatch = useDispatch();
  const [query, setQuery] = useSearchParams();
  const first = useRef(query.get('search') ?? '');
  // From the store: the URL is updated later, too late for an input.
  const text = useSelector(selectSearchText);
  const search = (next: string) => {
    if (isTooLong(next, textLimits.search)) {
      dispatch(searchTyped(next));
      return;
    }
    setQuery(next ? { search: next } : {}, { replace: true });
    dispatch(peopleSearched(next));
  };
  useEffect(() => {
    dispatch(peopleSearched(first.current));
  }, [dispatch]);
  return (
    <Page>
      <PeopleTabs />
      <PageTitle mb={24}>{t('find')}</PageTitle>
      <div className={classes.search}>
        <SearchField text={text} onChange={search} />
      </div>
      <h2 className={classes.title}>{ofSearch(text.trim() ? 'found' : 'suggested')}</h2>
      <Count />
      <People />
    </Page>
  );
}

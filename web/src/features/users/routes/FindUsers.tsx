import '@mantine/core/styles/Input.layer.css';
import { VisuallyHidden } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { SearchField } from '../../../entities/friends/SearchField.tsx';
import { useSearchTranslations } from '../../../entities/friends/search-translations.ts';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { isTooLong } from '../../../shared/ui/limited-text.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { People } from '../components/People.tsx';
import {
  peopleSearched,
  searchTyped,
  selectFoundBy,
  selectPeople,
  selectPeopleState,
  selectSearchText,
} from '../people-slice.ts';
import classes from './FindUsers.module.css';

/** The number of results, for screen readers. */
function Count() {
  const t = useSearchTranslations();
  const count = useSelector(selectPeople).length;
  const ready = useSelector(selectPeopleState) === 'ready';
  const foundBy = useSelector(selectFoundBy).trim();
  return <VisuallyHidden role="status">{ready && foundBy && t('foundCount', { count })}</VisuallyHidden>;
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

import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type Place, textLimits } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useKeptForm } from '../../../entities/auth/form-draft.ts';
import {
  selectCreatedId,
  selectCreateError,
  selectCreating,
} from '../../../entities/challenges/selectors.ts';
import { challengeSubmitted, formOpened } from '../../../entities/challenges/slice.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { isTooLong, useTextLimit } from '../../../shared/ui/limited-text.tsx';
import { emptyForm, isComplete, withPlace } from '../form.ts';
import { newChallengeDraft } from '../new-challenge-draft.ts';
import { useTranslations } from '../translations.ts';
import challengeFieldsClasses from './ChallengeFields.module.css';
import { ChallengeFields, PlaceFields } from './ChallengeFields.tsx';
import classes from './NewChallenge.module.css';

/** The pause in typing after which it searches, as on the map. */
const debounceMs = 200;

const labelOf = ({ name, vicinity }: Place) =>
  vicinity.startsWith(name) ? vicinity : [name, vicinity].filter(Boolean).join(', ');

/** Searches a place, a town or an address, and fills in its fields. */
function PlaceSearch({ onFound }: { onFound(place: Place): void }) {
  const t = useTranslations();
  const [text, setText] = useState('');
  /** The text of the selected result, which is not searched again. */
  const [chosen, setChosen] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), debounceMs);
  const tooLong = useTextLimit<HTMLInputElement>(text, textLimits.placeSearch);
  const isSearched = wanted !== '' && wanted !== chosen && !isTooLong(wanted, textLimits.placeSearch);
  const { data: answer, error } = useQuery(isSearched ? wanted : null, (client) =>
    client.searchPlaces({ query: { text: wanted } }),
  );
  const places = new Map(wanted === text.trim() ? answer?.map((place) => [labelOf(place), place]) : []);
  const nothing = answer?.length === 0 && wanted === text.trim() ? t('noPlace') : null;
  return (
    <Autocomplete
      className={challengeFieldsClasses.full ?? ''}
      label={t('findPlace')}
      description={t('findPlaceHint')}
      leftSection={<IconSearch size={18} aria-hidden />}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={setText}
      data={[...places.keys()]}
      filter={({ options }) => options}
      onOptionSubmit={(label) => {
        const place = places.get(label);
        setChosen(label);
        if (place) onFound(place);
      }}
      error={tooLong.error ?? error ?? nothing}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}

/** The full form for a new challenge. What was created is shown on its own page. */
export default function NewChallengeForm() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const creating = useSelector(selectCreating);
  const createdId = useSelector(selectCreatedId);
  const error = useSelector(selectCreateError);
  const form = useForm({ initialValues: emptyForm });
  const removeDraft = useKeptForm(newChallengeDraft, form);
  useEffect(() => {
    dispatch(formOpened());
  }, [dispatch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what was created
  useEffect(() => {
    if (createdId === null || creating !== 'ready') return;
    removeDraft();
    navigate(`/challenges/${createdId}`, { state: { created: createdId } });
  }, [createdId]);
  return (
    <form
      aria-labelledby="add-a-challenge-title"
      className={classes.form}
      onSubmit={form.onSubmit((values) => {
        dispatch(challengeSubmitted(values));
      })}
    >
      <ChallengeFields form={form} pointsFollow>
        <PlaceSearch
          onFound={(place) => form.setValues((values) => withPlace({ ...emptyForm, ...values }, place))}
        />
        <PlaceFields form={form} />
      </ChallengeFields>
      <Button
        type="submit"
        mt={24}
        mb={8}
        loading={creating === 'loading'}
        disabled={!isComplete(form.values)}
      >
        {t('create')}
      </Button>
      <FormError>{error}</FormError>
    </form>
  );
}

import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconSearch } from '@tabler/icons-react';
import { type Address, type Place, textLimits } from '@wayquest/contracts';
import { type ComponentType, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { usePersistedForm } from '../../../entities/auth/form-draft.ts';
import { ChallengeOptions } from '../../../entities/challenges/ChallengeOptions.tsx';
import type { PlacePickerProps } from '../../../entities/challenges/place-picker.ts';
import { usePlaceSearch } from '../../../entities/challenges/place-search.ts';
import { useListPosition } from '../../../entities/challenges/search-location.ts';
import {
  challengeSubmitted,
  formOpened,
  selectCreatedId,
  selectCreateError,
  selectCreating,
} from '../../../entities/challenges/slice.ts';
import { formatPosition, readPosition } from '../../../shared/lib/query-params.ts';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { SubmitButton } from '../../../shared/ui/SubmitButton.tsx';
import {
  addressFields,
  type ChallengeForm,
  emptyForm,
  missingFields,
  newChallengeDraft,
  newChallengeOf,
  withAddress,
  withPlace,
} from '../form.ts';
import { useTranslations } from '../translations.ts';
import challengeFieldsClasses from './ChallengeFields.module.css';
import { ChallengeFields, PlaceFields, useNeeded } from './ChallengeFields.tsx';
import classes from './NewChallenge.module.css';

const labelOf = ({ name, vicinity }: Place) =>
  vicinity.startsWith(name) ? vicinity : [name, vicinity].filter(Boolean).join(', ');

/** Searches a place, a town or an address, and fills in its fields. */
function PlaceSearch({ onFound }: { onFound(place: Place): void }) {
  const t = useTranslations();
  const [text, setText] = useState('');
  const { found, error, isCurrent, tooLong, setChosen } = usePlaceSearch(text, textLimits.placeSearch);
  const places = new Map(isCurrent ? found?.map((place) => [labelOf(place), place]) : []);
  const emptyMessage = found?.length === 0 && isCurrent ? t('noPlace') : null;
  return (
    <Autocomplete
      className={challengeFieldsClasses.full ?? ''}
      label={t('findPlace')}
      description={t('findPlaceHint')}
      size="md"
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
      error={tooLong.error ?? error ?? emptyMessage}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}

/** The map of the place, folded until it is wanted or there is something to show. */
function PlaceMap({ Picker, ...props }: { Picker: ComponentType<PlacePickerProps> } & PlacePickerProps) {
  const t = useTranslations();
  const id = useId();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? props.position !== null;
  return (
    <div className={challengeFieldsClasses.full}>
      <Button variant="default" aria-expanded={open} aria-controls={id} onClick={() => setChosen(!open)}>
        {t(open ? 'hideMap' : 'chooseOnMap')}
      </Button>
      <div id={id} className={open ? classes.map : undefined}>
        {open && (
          <ErrorBoundary fallback={null}>
            <Suspense>
              <Picker
                {...props}
                onChoose={(position) => {
                  setChosen(true);
                  props.onChoose(position);
                }}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </div>
  );
}

interface Props {
  PlacePicker: ComponentType<PlacePickerProps>;
}

/** The full form for a new challenge. What was created is shown on its own page. */
export default function NewChallengeForm({ PlacePicker }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const creating = useSelector(selectCreating);
  const createdId = useSelector(selectCreatedId);
  const error = useSelector(selectCreateError);
  const form = useForm({ initialValues: emptyForm });
  const removeDraft = usePersistedForm(newChallengeDraft, form);
  const needed = useNeeded(missingFields(form.values));
  const near = useListPosition();
  const [found, setFound] = useState<Place>();
  const autofilled = useRef<Partial<Address>>({});
  const position = useMemo(() => readPosition(form.values.position), [form.values.position]);
  const fill = (change: (values: ChallengeForm) => ChallengeForm) =>
    form.setValues((values) => {
      const before = { ...emptyForm, ...values };
      const next = change(before);
      for (const field of addressFields)
        if (next[field] !== before[field]) autofilled.current[field] = next[field];
      return next;
    });
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
        dispatch(challengeSubmitted(newChallengeOf(values)));
      })}
    >
      <ChallengeFields form={form} pointsFollowDifficulty>
        <PlaceSearch
          onFound={(place) => {
            setFound(place);
            fill((values) => withPlace(values, place));
          }}
        />
        {near !== undefined && (
          <PlaceMap
            Picker={PlacePicker}
            position={position}
            center={found?.position ?? near}
            onChoose={(next) => form.setFieldValue('position', next ? formatPosition(next) : '')}
            onAddress={(address) => fill((values) => withAddress(values, address, autofilled.current))}
          />
        )}
        <PlaceFields form={form} />
      </ChallengeFields>
      <ChallengeOptions values={form.values} isOnMap={position !== null} onChange={form.setValues} />
      <SubmitButton mt={24} loading={creating === 'loading'} needed={needed}>
        {t('create')}
      </SubmitButton>
      <FormError>{error}</FormError>
    </form>
  );
}

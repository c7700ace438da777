import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Difficulty, pointsByDifficulty } from '@wayquest/contracts';
import { type FormEvent, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { selectCreateError, selectCreating } from '../../../entities/challenges/selectors.ts';
import { challengeSubmitted, formOpened } from '../../../entities/challenges/slice.ts';
import type { Arrival } from '../../../shared/lib/arrival.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { challengeAt, isComplete, type Spot } from '../challenge-at.ts';
import type { MapForm } from '../form.ts';
import { selectDraft } from '../selectors.ts';
import { draftChanged } from '../slice.ts';
import classes from './CreateForm.module.css';

const difficulties = [
  { value: '', label: 'Choose one' },
  ...Difficulty.options.map((name) => ({
    value: name,
    label: `${name}, ${pointsByDifficulty[name]} points`,
  })),
];

interface Props {
  spot: Spot;
  /** Whether the address is known, still looked for, or has to be asked of whoever makes the challenge. */
  address: 'known' | 'looking' | 'asked';
  /** Where a visitor comes back to who makes an account first. */
  here: string;
  onCreated(): void;
}

/** Makes a challenge at a spot on the map. */
export function CreateForm({ spot, address, here, onCreated }: Props) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const member = useSelector(selectAuthStatus) === 'member';
  const form = useSelector(selectDraft);
  const creating = useSelector(selectCreating);
  const error = useSelector(selectCreateError);
  const sent = useRef(false);
  useEffect(() => {
    dispatch(formOpened());
  }, [dispatch]);
  useEffect(() => {
    if (sent.current && creating === 'ready') onCreated();
  }, [creating, onCreated]);

  const field = (name: keyof MapForm) => ({
    name,
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      dispatch(draftChanged({ ...form, [name]: currentTarget.value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const state: Arrival = { from: here };
    if (!member) return navigate('/signup', { state });
    sent.current = true;
    dispatch(challengeSubmitted(challengeAt(spot, form, address === 'asked')));
  };
  return (
    <form aria-label="New challenge" className={classes.form} onSubmit={submit}>
      <TextInput className={classes.wide ?? ''} label="Challenge Name" maxLength={120} {...field('name')} />
      <TextInput label="Start date" type="date" {...field('startDate')} />
      <TextInput label="End date" type="date" min={form.startDate || undefined} {...field('endDate')} />
      <NativeSelect
        className={classes.wide ?? ''}
        label="Difficulty"
        data={difficulties}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        {...field('difficulty')}
      />
      {address === 'asked' && (
        <>
          <TextInput
            className={classes.wide ?? ''}
            label="Street address"
            maxLength={160}
            placeholder={spot.streetAddress}
            {...field('streetAddress')}
          />
          <TextInput
            className={classes.wide ?? ''}
            label="City"
            maxLength={80}
            placeholder={spot.city}
            {...field('city')}
          />
          <TextInput label="State" maxLength={40} placeholder={spot.state} {...field('state')} />
          <TextInput
            label="Zip"
            inputMode="numeric"
            maxLength={12}
            placeholder={spot.zip}
            {...field('zip')}
          />
        </>
      )}
      <Button
        type="submit"
        className={classes.wide ?? ''}
        loading={creating === 'loading'}
        disabled={address === 'looking' || !isComplete(form)}
      >
        Create Challenge
      </Button>
      {!member && (
        <Text className={classes.wide ?? ''} c="dimmed" size="sm" ta="center">
          It takes an account: a name and a password. You come back here.
        </Text>
      )}
      <FormError>{error}</FormError>
    </form>
  );
}

import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown } from '@tabler/icons-react';
import type { ChallengeForm } from '../form.ts';
import classes from './ChallengeFields.module.css';

const difficulties = [
  { value: '', label: 'Choose one' },
  { value: 'Easy', label: 'Easy' },
  { value: 'Medium', label: 'Medium' },
  { value: 'Hard', label: 'Hard' },
];

/** The form's controls, named as the calls name their fields. */
export function ChallengeFields({ form }: { form: UseFormReturnType<ChallengeForm> }) {
  const field = (name: keyof ChallengeForm) => ({ name, ...form.getInputProps(name) });
  const needed = (name: keyof ChallengeForm) => ({
    ...field(name),
    'aria-required': true,
    withAsterisk: true,
  });
  return (
    <div className={classes.fields}>
      <TextInput className={classes.wide ?? ''} label="Name" maxLength={120} {...needed('name')} />
      <NativeSelect
        label="Difficulty"
        data={difficulties}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        {...needed('difficulty')}
      />
      <TextInput
        label="Points"
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        step={1}
        placeholder="Easy 10, Medium 20, Hard 30"
        {...needed('points')}
      />
      <Textarea
        className={classes.full ?? ''}
        label="Description"
        rows={3}
        maxLength={2000}
        placeholder="What to do there, and how to know that it is done"
        {...field('description')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label="Name of the place"
        maxLength={120}
        {...needed('locationName')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label="Street address"
        maxLength={160}
        {...needed('streetAddress')}
      />
      <TextInput className={classes.wide ?? ''} label="City" maxLength={80} {...needed('city')} />
      <TextInput label="State" maxLength={40} {...needed('state')} />
      <TextInput label="Zip" inputMode="numeric" maxLength={12} {...field('zip')} />
      <TextInput className={classes.wide ?? ''} label="Start date" type="date" {...field('startDate')} />
      <TextInput
        className={classes.wide ?? ''}
        label="End date"
        type="date"
        min={form.values.startDate || undefined}
        {...field('endDate')}
      />
    </div>
  );
}

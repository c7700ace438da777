import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown } from '@tabler/icons-react';
import { daysAmiss } from '../../../entities/challenges/days-amiss.ts';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { useCommonWords } from '../../../shared/words/common.ts';
import { difficulties } from '../address.ts';
import type { ChallengeForm } from '../form.ts';
import { useWords } from '../words.ts';
import classes from './ChallengeFields.module.css';

/** The form's controls, named as the calls name their fields. */
export function ChallengeFields({ form }: { form: UseFormReturnType<ChallengeForm> }) {
  const t = useWords();
  const ofChallenge = useChallengeWords();
  const common = useCommonWords();
  const options = [
    { value: '', label: ofChallenge('chooseDifficulty') },
    ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
  ];
  const field = (name: keyof ChallengeForm) => ({ name, ...form.getInputProps(name) });
  const needed = (name: keyof ChallengeForm) => ({
    ...field(name),
    'aria-required': true,
    withAsterisk: true,
  });
  return (
    <div className={classes.fields}>
      <TextInput className={classes.wide ?? ''} label={t('name')} maxLength={120} {...needed('name')} />
      <NativeSelect
        label={ofChallenge('difficulty')}
        data={options}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        {...needed('difficulty')}
      />
      <TextInput
        label={t('points')}
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        step={1}
        placeholder={t('pointsPlaceholder')}
        {...needed('points')}
      />
      <Textarea
        className={classes.full ?? ''}
        label={t('description')}
        rows={3}
        maxLength={2000}
        placeholder={t('descriptionPlaceholder')}
        {...field('description')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label={t('locationName')}
        maxLength={120}
        {...needed('locationName')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label={common('streetAddress')}
        maxLength={160}
        {...needed('streetAddress')}
      />
      <TextInput className={classes.wide ?? ''} label={common('city')} maxLength={80} {...needed('city')} />
      <TextInput label={common('state')} maxLength={40} {...needed('state')} />
      <TextInput label={common('zip')} inputMode="numeric" maxLength={12} {...field('zip')} />
      <TextInput
        className={classes.wide ?? ''}
        label={ofChallenge('startDate')}
        type="date"
        {...field('startDate')}
      />
      <TextInput
        className={classes.wide ?? ''}
        label={ofChallenge('endDate')}
        type="date"
        min={form.values.startDate || undefined}
        {...field('endDate')}
        error={daysAmiss(form.values)}
      />
    </div>
  );
}

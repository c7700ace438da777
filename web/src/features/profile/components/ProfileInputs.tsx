import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useCommonWords } from '../../../shared/words/common.ts';
import type { ProfileFields } from '../profile-fields.ts';
import { useWords } from '../words.ts';
import classes from './ProfileForm.module.css';

interface Input {
  name: keyof ProfileFields;
  autoComplete: string;
  narrow?: true;
}

const inputs: Input[] = [
  { name: 'username', autoComplete: 'username' },
  { name: 'email', autoComplete: 'email' },
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
  { name: 'streetAddress', autoComplete: 'street-address' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'state', autoComplete: 'address-level1', narrow: true },
  { name: 'zip', autoComplete: 'postal-code', narrow: true },
];

export function ProfileInputs({ form }: { form: UseFormReturnType<ProfileFields> }) {
  const t = useWords();
  const common = useCommonWords();
  const labels: Record<keyof ProfileFields, string> = {
    username: common('username'),
    email: t('email'),
    firstName: t('firstName'),
    lastName: t('lastName'),
    streetAddress: common('streetAddress'),
    city: common('city'),
    state: common('state'),
    zip: common('zip'),
  };
  return (
    <div className={classes.fields}>
      {inputs.map(({ name, autoComplete, narrow }) => (
        <TextInput
          key={name}
          className={narrow ? '' : (classes.wide ?? '')}
          type={name === 'email' ? 'email' : 'text'}
          name={name}
          label={labels[name]}
          autoComplete={autoComplete}
          {...form.getInputProps(name)}
        />
      ))}
    </div>
  );
}

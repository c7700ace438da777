import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ProfileFields } from '../profile-fields.ts';
import classes from './ProfileForm.module.css';

interface Input {
  name: keyof ProfileFields;
  label: string;
  autoComplete: string;
  narrow?: true;
}

const inputs: Input[] = [
  { name: 'username', label: 'Username', autoComplete: 'username' },
  { name: 'email', label: 'Email', autoComplete: 'email' },
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name' },
  { name: 'streetAddress', label: 'Street address', autoComplete: 'street-address' },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State', autoComplete: 'address-level1', narrow: true },
  { name: 'zip', label: 'Zip', autoComplete: 'postal-code', narrow: true },
];

export function ProfileInputs({ form }: { form: UseFormReturnType<ProfileFields> }) {
  return (
    <div className={classes.fields}>
      {inputs.map(({ name, label, autoComplete, narrow }) => (
        <TextInput
          key={name}
          className={narrow ? '' : (classes.wide ?? '')}
          type={name === 'email' ? 'email' : 'text'}
          name={name}
          label={label}
          autoComplete={autoComplete}
          {...form.getInputProps(name)}
        />
      ))}
    </div>
  );
}

import type { UseFormReturnType } from '@mantine/form';
import { textLimits } from '@wayquest/contracts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useFieldTranslations } from '../../../shared/i18n/fields.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import type { ProfileFields } from '../profile-fields.ts';
import { useTranslations } from '../translations.ts';
import classes from './ProfileForm.module.css';

interface Input {
  name: keyof ProfileFields;
  limit: number;
  autoComplete: string;
  narrow?: true;
}

const inputs: Input[] = [
  { name: 'username', limit: textLimits.username, autoComplete: 'username' },
  { name: 'email', limit: textLimits.email, autoComplete: 'email' },
  { name: 'firstName', limit: textLimits.firstName, autoComplete: 'given-name' },
  { name: 'lastName', limit: textLimits.lastName, autoComplete: 'family-name' },
  { name: 'streetAddress', limit: textLimits.profileStreetAddress, autoComplete: 'street-address' },
  { name: 'city', limit: textLimits.city, autoComplete: 'address-level2' },
  { name: 'state', limit: textLimits.state, autoComplete: 'address-level1', narrow: true },
  { name: 'zip', limit: textLimits.zip, autoComplete: 'postal-code', narrow: true },
];

export function ProfileInputs({ form }: { form: UseFormReturnType<ProfileFields> }) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const ofFields = useFieldTranslations();
  const labels: Record<keyof ProfileFields, string> = {
    username: common('username'),
    email: t('email'),
    firstName: t('firstName'),
    lastName: t('lastName'),
    streetAddress: ofFields('streetAddress'),
    city: ofFields('city'),
    state: ofFields('state'),
    zip: ofFields('zip'),
  };
  return (
    <div className={classes.fields}>
      {inputs.map(({ name, limit, autoComplete, narrow }) => (
        <LimitedTextInput
          key={name}
          className={narrow ? '' : (classes.wide ?? '')}
          type={name === 'email' ? 'email' : 'text'}
          name={name}
          limit={limit}
          label={labels[name]}
          autoComplete={autoComplete}
          {...form.getInputProps(name)}
        />
      ))}
    </div>
  );
}

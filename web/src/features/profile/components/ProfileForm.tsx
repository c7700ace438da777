import { type UseFormReturnType, useForm } from '@mantine/form';
import { type Me, type ProfileUpdate, textLimits } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { usePersistedForm } from '../../../entities/auth/form-draft.ts';
import { TownField } from '../../../entities/challenges/TownField.tsx';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useFieldTranslations } from '../../../shared/i18n/fields.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { CurrentPassword } from '../../../shared/ui/passwords.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SubmitButton } from '../../../shared/ui/SubmitButton.tsx';
import { profileSubmitted, selectPasswordNeeded, selectSaving } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ProfileForm.module.css';

/** The fields of a profile that its owner edits. */
type ProfileFields = Required<ProfileUpdate>;

const profileOf = (user: Me): ProfileFields => ({
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  streetAddress: user.streetAddress,
  city: user.city,
  state: user.state,
  zip: user.zip,
  email: user.email,
});

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

function ProfileInputs({ form, city }: { form: UseFormReturnType<ProfileFields>; city: string }) {
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
    state: ofFields('stateIfAny'),
    zip: ofFields('zip'),
  };
  return (
    <div className={classes.fields}>
      {inputs.map(({ name, limit, autoComplete, narrow }) =>
        name === 'city' ? (
          <TownField
            key={name}
            {...{ name, autoComplete, label: labels[name], className: classes.wide ?? '' }}
            text={form.values.city}
            saved={city}
            onChange={(text) => form.setFieldValue('city', text)}
            onChoose={({ city, name: town, state, zip }) => {
              form.setValues({ city: city || town, state, zip });
              return city || town;
            }}
          />
        ) : (
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
        ),
      )}
    </div>
  );
}

/** The name of the form's draft. */
export const profileDraft = 'profile';

/** Edits the profile; it can be submitted once a field differs. */
export function ProfileForm({ user, onSaved }: { user: Me; onSaved: () => void }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectSaving);
  const passwordNeeded = useSelector(selectPasswordNeeded);
  const [currentPassword, setCurrentPassword] = useState('');
  const form = useForm<ProfileFields>({ initialValues: profileOf(user) });
  const { setInitialValues, setValues } = form;
  const saved = JSON.stringify(profileOf(user));
  // Only if these fields change: a new picture or new points must not reset the form.
  useEffect(() => {
    const fields: ProfileFields = JSON.parse(saved);
    setInitialValues(fields);
    setValues(fields);
  }, [saved, setInitialValues, setValues]);
  const removeDraft = usePersistedForm(profileDraft, form);
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current && state === 'ready') {
      removeDraft();
      onSaved();
    }
    isSent.current = state === 'loading';
  });
  return (
    <Section titleId="update-title" title={t('updateDetails')}>
      <form
        aria-labelledby="update-title"
        onSubmit={form.onSubmit((fields) => {
          dispatch(profileSubmitted(passwordNeeded ? { ...fields, currentPassword } : fields));
          setCurrentPassword('');
        })}
      >
        <ProfileInputs form={form} city={user.city} />
        {passwordNeeded && (
          <CurrentPassword
            mt={16}
            label={t('currentPassword')}
            value={currentPassword}
            onChange={({ currentTarget }) => setCurrentPassword(currentTarget.value)}
          />
        )}
        <SubmitButton mt={24} loading={state === 'loading'} isUnchanged={!form.isDirty()}>
          {t('update')}
        </SubmitButton>
        <FormError>{error}</FormError>
      </form>
    </Section>
  );
}

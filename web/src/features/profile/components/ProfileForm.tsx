import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Me } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useKeptForm } from '../../../entities/auth/form-draft.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { CurrentPassword } from '../../../shared/ui/passwords.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { type ProfileFields, profileOf } from '../profile-fields.ts';
import { profileOpened, profileSubmitted, selectPasswordNeeded, selectSaving } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import { ProfileInputs } from './ProfileInputs.tsx';

/** Edits the profile; it can be submitted once a field differs. */
export function ProfileForm({ user }: { user: Me }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectSaving);
  const passwordNeeded = useSelector(selectPasswordNeeded);
  const [currentPassword, setCurrentPassword] = useState('');
  const form = useForm<ProfileFields>({ initialValues: profileOf(user) });
  const { setInitialValues, setValues } = form;
  const kept = JSON.stringify(profileOf(user));
  // Only if these fields change: a new picture or new points must not reset the form.
  useEffect(() => {
    const fields: ProfileFields = JSON.parse(kept);
    setInitialValues(fields);
    setValues(fields);
  }, [kept, setInitialValues, setValues]);
  useKeptForm('profile', form);
  useEffect(() => {
    dispatch(profileOpened());
  }, [dispatch]);
  return (
    <Section titleId="update-title" title={t('updateDetails')}>
      <form
        aria-labelledby="update-title"
        onSubmit={form.onSubmit((fields) => {
          dispatch(profileSubmitted(passwordNeeded ? { ...fields, currentPassword } : fields));
          setCurrentPassword('');
        })}
      >
        <ProfileInputs form={form} />
        {passwordNeeded && (
          <CurrentPassword
            mt={16}
            label={t('currentPassword')}
            value={currentPassword}
            onChange={({ currentTarget }) => setCurrentPassword(currentTarget.value)}
          />
        )}
        <Button type="submit" mt={24} mb={8} loading={state === 'loading'} disabled={!form.isDirty()}>
          {t('update')}
        </Button>
        <FormError>{error}</FormError>
      </form>
    </Section>
  );
}

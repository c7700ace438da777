import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { CurrentPassword, NewPassword } from '../../../shared/ui/passwords.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { passwordSubmitted, selectAccount, selectPasswordRequest } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Account.module.css';

const empty = { currentPassword: '', newPassword: '' };

/** Changes the password, or sets a first one. */
export function PasswordForm({ username }: { username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectPasswordRequest);
  const hasPassword = useSelector(selectAccount)?.hasPassword ?? true;
  const form = useForm({ initialValues: empty });
  const { reset } = form;
  useEffect(() => {
    if (state === 'ready') reset();
  }, [state, reset]);
  return (
    <Section titleId="password-title" title={t('password')}>
      <form
        aria-labelledby="password-title"
        onSubmit={form.onSubmit(({ currentPassword, newPassword }) => {
          dispatch(passwordSubmitted({ newPassword, ...(hasPassword && { currentPassword }) }));
        })}
      >
        {/* Password managers keep the new one for this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <div className={classes.fields}>
          {hasPassword && (
            <CurrentPassword label={t('currentPassword')} {...form.getInputProps('currentPassword')} />
          )}
          <NewPassword
            name="newPassword"
            label={t('newPassword')}
            description={t('newPasswordHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('newPassword')}
          />
        </div>
        <Button type="submit" mt={24} mb={8} loading={state === 'loading'}>
          {t(hasPassword ? 'changePassword' : 'setPassword')}
        </Button>
        <FormError>{error}</FormError>
      </form>
    </Section>
  );
}

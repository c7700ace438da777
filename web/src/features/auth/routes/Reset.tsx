import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { choiceSubmitted } from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { NewPassword } from '../../../shared/ui/passwords.tsx';
import { AuthCard, SuccessPanel, useRecovery } from '../components/AuthCard.tsx';

/** The page of a reset link: sets a new password. */
export default function Reset() {
  const t = useTranslations();
  const { state, error, token, dispatch } = useRecovery();
  const { send } = useMutation('getResetLink', { token: null });
  const [username, setUsername] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each link
  useEffect(() => {
    if (token) send({ body: { token } }, (link) => setUsername(link.username));
  }, [token]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  return (
    <AuthCard
      title={t('resetTitle')}
      tab={t('resetTitle')}
      lead={t('resetLead')}
      footerLink={
        state === 'ready' ? (
          <Link to="/login">{t('backToLogin')}</Link>
        ) : (
          <Link to="/forgot">{t('newLink')}</Link>
        )
      }
    >
      {state === 'ready' ? (
        <SuccessPanel>{t('passwordReset')}</SuccessPanel>
      ) : (
        <form
          aria-label={t('resetTitle')}
          onSubmit={form.onSubmit(({ password }) => {
            dispatch(choiceSubmitted({ token, password }));
          })}
        >
          {/* For password managers, which store the new password under it. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <Stack gap={16}>
            <NewPassword
              name="password"
              label={t('newPassword')}
              description={t('passwordHint')}
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={state === 'loading'} fullWidth mt={4}>
              {t('setPassword')}
            </Button>
            <FormError>{error}</FormError>
          </Stack>
        </form>
      )}
    </AuthCard>
  );
}

import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { textLimits } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  type Credentials,
  errorCleared,
  selectAuthError,
  selectAuthPending,
} from '../../../entities/auth/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { Password } from '../../../shared/ui/passwords.tsx';
import { useTranslations } from '../translations.ts';

interface Props {
  submitLabel: string;
  /** For password managers. */
  passwordKind: 'current-password' | 'new-password';
  passwordHint?: string;
  usernameHint?: string;
  onSubmit: (credentials: Credentials) => void;
}

export function CredentialsForm({ submitLabel, passwordKind, passwordHint, usernameHint, onSubmit }: Props) {
  const common = useCommonTranslations();
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectAuthPending);
  const error = useSelector(selectAuthError);
  const isNew = passwordKind === 'new-password';
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } });
  useEffect(() => {
    dispatch(errorCleared());
  }, [dispatch]);
  return (
    <form onSubmit={form.onSubmit(onSubmit)} aria-label={submitLabel}>
      <Stack gap={16}>
        <LimitedTextInput
          limit={isNew ? textLimits.username : textLimits.loginName}
          name="username"
          label={common('username')}
          placeholder={t('usernamePlaceholder')}
          description={usernameHint}
          required
          withAsterisk={false}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <Password
          limit={isNew ? textLimits.password : textLimits.currentPassword}
          name="password"
          label={t('password')}
          placeholder={t('passwordPlaceholder')}
          description={passwordHint}
          autoComplete={passwordKind}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={pending} fullWidth mt={4}>
          {submitLabel}
        </Button>
        <FormError>{error}</FormError>
      </Stack>
    </form>
  );
}

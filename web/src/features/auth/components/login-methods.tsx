import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { textLimits } from '@wayquest/contracts';
import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import {
  type Credentials,
  errorCleared,
  selectAuthError,
  selectAuthPending,
} from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { type ReturnTo, returnPath } from '../../../shared/lib/return-to.ts';
import { safeSessionStorage, storedJson } from '../../../shared/lib/storage.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { Password } from '../../../shared/ui/passwords.tsx';
import classes from './AuthCard.module.css';

interface Props {
  submitLabel: string;
  /** For password managers. */
  passwordKind: 'current-password' | 'new-password';
  passwordHint?: string;
  usernameHint?: string;
  onSubmit: (credentials: Credentials) => void;
  /** Fields above the others. */
  children?: ReactNode;
}

export function CredentialsForm({
  submitLabel,
  passwordKind,
  passwordHint,
  usernameHint,
  onSubmit,
  children,
}: Props) {
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
        {children}
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

const returnToKey = 'wayquest-from';

const returnToOf = (state: unknown): ReturnTo => ({ from: returnPath(state) });

/** Stores where to return to, during a visit to another site. */
function storeReturnTo(state: unknown) {
  safeSessionStorage.setItem(returnToKey, JSON.stringify(returnToOf(state)));
}

/** Where to return to after that visit. */
export const storedReturnTo = (): ReturnTo => returnToOf(storedJson(safeSessionStorage, returnToKey));

const googleMark = (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
    <path
      fill="#4285F4"
      d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62z"
    />
    <path
      fill="#34A853"
      d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.33-1.58-5.04-3.71H.96v2.33A9 9 0 0 0 9 18z"
    />
    <path fill="#FBBC05" d="M3.96 10.71a5.4 5.4 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08l3-2.33z" />
    <path
      fill="#EA4335"
      d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.58A9 9 0 0 0 .96 4.96l3 2.33C4.67 5.16 6.66 3.58 9 3.58z"
    />
  </svg>
);

interface SiteLinkProps {
  href: string;
  mark?: ReactNode;
  children: string;
}

/** Starts a sign-in at another site, which returns to /login. */
function SiteLink({ href, mark, children }: SiteLinkProps) {
  const { state } = useLocation();
  return (
    <Button
      component="a"
      href={href}
      variant="default"
      fullWidth
      leftSection={mark}
      onClick={() => storeReturnTo(state)}
    >
      {children}
    </Button>
  );
}

interface GoogleButtonProps {
  /** The code of an invitation, which a new account may need. Google does not get it. */
  invitation?: string;
  children: string;
}

export function GoogleButton({ invitation, children }: GoogleButtonProps) {
  const query = invitation ? `?${new URLSearchParams({ invitation })}` : '';
  return (
    <SiteLink href={`/api/googleOauth${query}`} mark={googleMark}>
      {children}
    </SiteLink>
  );
}

/** Starts a sign-in at the OpenID Connect provider. */
export function OpenIdButton({ children }: { children: string }) {
  return (
    <div className={classes.site}>
      <SiteLink href="/auth/openid">{children}</SiteLink>
    </div>
  );
}

export function OrDivider() {
  const t = useTranslations();
  return <div className={classes.or}>{t('or')}</div>;
}

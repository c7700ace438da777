import { Button, Skeleton, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { textLimits } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { LimitedTextInput } from '../../shared/ui/limited-text.tsx';
import { Failure, FormError } from '../../shared/ui/Message.tsx';
import { CurrentPassword, NewPassword } from '../../shared/ui/passwords.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import classes from './components/Account.module.css';
import { GoogleLink, OpenIdLink } from './components/identity-links.tsx';
import { MyData } from './components/MyData.tsx';
import { Passkeys } from './components/Passkeys.tsx';
import { ReauthenticationDialog } from './components/ReauthenticationDialog.tsx';
import { Sessions } from './components/Sessions.tsx';
import {
  addressClaimed,
  deletionSubmitted,
  passwordSubmitted,
  selectAccount,
  selectDeletion,
  selectLink,
  selectPasswordNeeded,
  selectPasswordRequest,
  selectSessionsRequest,
  sessionsRequested,
} from './slice.ts';
import { useTranslations } from './translations.ts';

/** Whether the address for account recovery is confirmed. */
function AddressState({ email, confirmed }: { email: string; confirmed: string }) {
  const t = useTranslations();
  if (!email) return <Text>{t('emailNone')}</Text>;
  if (confirmed.toLowerCase() === email.toLowerCase()) return <Text>{t('emailConfirmed', { email })}</Text>;
  return (
    <>
      <Text>{t('emailUnconfirmed', { email })}</Text>
      {confirmed && <Text c="dimmed">{t('emailPrevious', { email: confirmed })}</Text>}
    </>
  );
}

/** Changes the e-mail address of the profile, which account recovery uses once it is confirmed. */
function AddressForm({ saved, confirmed }: { saved: string; confirmed: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectLink);
  const passwordNeeded = useSelector(selectPasswordNeeded);
  const [email, setEmail] = useState(saved);
  const [currentPassword, setCurrentPassword] = useState('');
  const isChanged = email.trim() !== saved;
  const isConfirmed = confirmed.toLowerCase() === saved.toLowerCase();
  return (
    <form
      aria-labelledby="email-title"
      onSubmit={(event) => {
        event.preventDefault();
        dispatch(addressClaimed(passwordNeeded ? { email, currentPassword } : { email }));
        setCurrentPassword('');
      }}
    >
      <AddressState email={saved} confirmed={confirmed} />
      <LimitedTextInput
        mt={16}
        type="email"
        name="email"
        label={t('email')}
        autoComplete="email"
        limit={textLimits.email}
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      {passwordNeeded && (
        <CurrentPassword
          mt={16}
          label={t('currentPassword')}
          value={currentPassword}
          onChange={({ currentTarget }) => setCurrentPassword(currentTarget.value)}
        />
      )}
      <Button
        type="submit"
        variant="default"
        mt={16}
        mb={8}
        loading={state === 'loading'}
        disabled={!isChanged && isConfirmed}
      >
        {t(isChanged || isConfirmed ? 'saveEmail' : 'linkAgain')}
      </Button>
      <Text role="status">{state === 'ready' && saved && t('linkSent')}</Text>
      <FormError>{error}</FormError>
    </form>
  );
}

/** The e-mail address for account recovery. */
function EmailAddress({ email }: { email: string }) {
  const t = useTranslations();
  const account = useSelector(selectAccount);
  const { state } = useSelector(selectSessionsRequest);
  if (state === 'failed') return null;
  return (
    <Section titleId="email-title" title={t('emailTitle')}>
      {account ? (
        <AddressForm key={email} saved={email} confirmed={account.email} />
      ) : (
        <Skeleton height={168} />
      )}
    </Section>
  );
}

const empty = { currentPassword: '', newPassword: '' };

/** Changes the password, or sets a first one. */
function PasswordForm({ username }: { username: string }) {
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

/** Requests the deletion of the account, which can be canceled for some days. */
function DeleteAccount({ username }: { username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const status = useSelector(selectDeletion);
  const { state, error } = useSelector(selectSessionsRequest);
  const account = useSelector(selectAccount);
  const { deletionGraceDays: count = 0 } = account ?? {};
  return (
    <Section titleId="delete-title" title={t('deleteTitle')}>
      {state === 'failed' && <Failure onRetry={() => dispatch(sessionsRequested())}>{error}</Failure>}
      {account ? <Text mb={16}>{t('deleteLead', { count })}</Text> : <Skeleton height={24} mb={16} />}
      <Button variant="default" mb={8} disabled={!account} onClick={() => dialog.current?.showModal()}>
        {t('deleteAccount')}
      </Button>
      <ReauthenticationDialog
        ref={dialog}
        title={t('deleteQuestion')}
        confirmLabel={t('deleteAccount')}
        cancelLabel={t('keepAccount')}
        username={username}
        status={status}
        onConfirm={(claim) => dispatch(deletionSubmitted(claim))}
      >
        <ul className={classes.means}>
          <li>{t('deletedData')}</li>
          <li>{t('keptData')}</li>
          <li>{t('deleteUndo', { count })}</li>
        </ul>
      </ReauthenticationDialog>
    </Section>
  );
}

/** Links to the decisions of moderators. */
function DecisionsLink() {
  const t = useTranslations();
  return (
    <Section titleId="decisions-title" title={t('decisionsTitle')}>
      <Text mb={16}>{t('decisionsLead')}</Text>
      <Button component={Link} to="/decisions" variant="default" mb={8}>
        {t('decisionsLink')}
      </Button>
    </Section>
  );
}

/** Requests the account when the settings about it are opened. */
function useAccountRequest() {
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(sessionsRequested());
  }, [dispatch]);
}

/** The person's login methods and sessions. */
export function LoginSettings() {
  const user = useSelector(selectUser);
  const isPasswordOff = useResource('getRegistration', {}).data?.passwordLogin === 'off';
  useAccountRequest();
  if (!user) return null;
  return (
    <>
      <EmailAddress email={user.email} />
      {(!isPasswordOff || user.admin) && <PasswordForm username={user.username} />}
      <Passkeys userId={user.id} username={user.username} />
      <OpenIdLink username={user.username} />
      <GoogleLink username={user.username} />
      <Sessions />
    </>
  );
}

/** What Wayquest stores about the person, what it decided about them, and how they leave. */
export function AccountSettings() {
  const user = useSelector(selectUser);
  useAccountRequest();
  if (!user) return null;
  return (
    <>
      <MyData />
      <DecisionsLink />
      <DeleteAccount username={user.username} />
    </>
  );
}

import { Button, Skeleton, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/slice.ts';
import { FormError } from '../../shared/ui/Message.tsx';
import { CurrentPassword, NewPassword } from '../../shared/ui/passwords.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import classes from './components/Account.module.css';
import { GoogleLink } from './components/GoogleLink.tsx';
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
} from './slice.ts';
import { useTranslations } from './translations.ts';

/** An address that is not confirmed yet. */
function Unconfirmed({ email, before }: { email: string; before: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectLink);
  const passwordNeeded = useSelector(selectPasswordNeeded);
  const [currentPassword, setCurrentPassword] = useState('');
  return (
    <form
      aria-labelledby="email-title"
      onSubmit={(event) => {
        event.preventDefault();
        dispatch(addressClaimed(passwordNeeded ? { email, currentPassword } : { email }));
        setCurrentPassword('');
      }}
    >
      <Text>{t('emailUnconfirmed', { email })}</Text>
      {before && <Text c="dimmed">{t('emailPrevious', { email: before })}</Text>}
      {passwordNeeded && (
        <CurrentPassword
          mt={16}
          label={t('currentPassword')}
          value={currentPassword}
          onChange={({ currentTarget }) => setCurrentPassword(currentTarget.value)}
        />
      )}
      <Button type="submit" variant="default" mt={16} mb={8} loading={state === 'loading'}>
        {t('linkAgain')}
      </Button>
      <Text role="status">{state === 'ready' && t('linkSent')}</Text>
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
  const isConfirmed = account?.email.toLowerCase() === email.toLowerCase();
  return (
    <Section titleId="email-title" title={t('emailTitle')}>
      {!account ? (
        <Skeleton height={24} />
      ) : !email ? (
        <Text>{t('emailNone')}</Text>
      ) : isConfirmed ? (
        <Text>{t('emailConfirmed', { email })}</Text>
      ) : (
        <Unconfirmed key={email} email={email} before={account.email} />
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
  const { deletionGraceDays: count = 0 } = useSelector(selectAccount) ?? {};
  return (
    <Section titleId="delete-title" title={t('deleteTitle')}>
      <Text mb={16}>{t('deleteLead', { count })}</Text>
      <Button variant="default" mb={8} onClick={() => dialog.current?.showModal()}>
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

/** The person's login methods and sessions. */
export function Account() {
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <>
      <EmailAddress email={user.email} />
      <PasswordForm username={user.username} />
      <Passkeys userId={user.id} username={user.username} />
      <GoogleLink username={user.username} />
      <Sessions />
      <MyData />
      <DeleteAccount username={user.username} />
    </>
  );
}

import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/Message.tsx';
import { CurrentPassword } from '../../../shared/ui/passwords.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import {
  addressClaimed,
  selectAccount,
  selectLink,
  selectPasswordNeeded,
  selectSessionsRequest,
} from '../slice.ts';
import { useTranslations } from '../translations.ts';

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
      <Text>{t('emailOpen', { email })}</Text>
      {before && <Text c="dimmed">{t('emailBefore', { email: before })}</Text>}
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
export function EmailAddress({ email }: { email: string }) {
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

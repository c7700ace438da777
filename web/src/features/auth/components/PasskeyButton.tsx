import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectAuthPending } from '../../../entities/auth/selectors.ts';
import { passkeyPresented } from '../../../entities/auth/slice.ts';
import { presentPasskey } from '../../../shared/lib/passkeys.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { useTranslations } from '../translations.ts';
import classes from './AuthCard.module.css';

/** Logs in with any passkey that the browser offers. */
export function PasskeyButton() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectAuthPending);
  const { state, error, make } = useMutation();
  const [isMissing, setMissing] = useState(false);
  const ask = () => {
    setMissing(false);
    void make(
      async (client) => presentPasskey(await client.startPasskeyLogin({}, { token: null })),
      (credential) => {
        if (credential) dispatch(passkeyPresented(credential));
        else setMissing(true);
      },
    );
  };
  const problem = isMissing ? t('passkeyFailed') : error;
  return (
    <div className={classes.problem}>
      <Button variant="default" fullWidth loading={pending || state === 'loading'} onClick={ask}>
        {t('loginWithPasskey')}
      </Button>
      {problem && (
        <div className={classes.problem}>
          <FormError>{problem}</FormError>
        </div>
      )}
    </div>
  );
}

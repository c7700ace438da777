import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import {
  loginCodeReceived,
  loginSubmitted,
  passkeyPresented,
  selectAuthError,
  selectAuthPending,
} from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { pageRegistration } from '../../../shared/lib/page-registration.ts';
import { isPasskeyAddress, presentPasskey } from '../../../shared/lib/passkeys.ts';
import { useSaga } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { request } from '../../../shared/saga/request.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import classes from '../components/AuthCard.module.css';
import { AuthCard } from '../components/AuthCard.tsx';
import { IntendedJoinNote } from '../components/IntendedJoin.tsx';
import {
  CredentialsForm,
  GoogleButton,
  OpenIdButton,
  OrDivider,
  storedReturnTo,
} from '../components/login-methods.tsx';

/** Why a sign-in at another site failed, by the problem in the URL. */
const signInProblems = {
  'google-not-set-up': 'googleNotSetUp',
  'registration-closed': 'googleClosed',
  'registration-full': 'registrationFull',
  'invitation-required': 'googleInvitationRequired',
  'invitation-invalid': 'googleInvitationInvalid',
  'openid-not-set-up': 'openIdNotSetUp',
  'openid-not-linked': 'openIdNotLinked',
  'openid-failed': 'openIdFailed',
} as const;

const isSignInProblem = (problem: string): problem is keyof typeof signInProblems =>
  Object.hasOwn(signInProblems, problem);

/** Handles the URL after a sign-in at another site: exchanges its code for a session, or returns a problem as a sentence. */
function useSignInReturn(): string | undefined {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get('code');
    const reason = fragment.get('problem');
    if (reason) setProblem(reason);
    if (code) dispatch(loginCodeReceived({ code, isNew: fragment.has('new') }));
    if (code || reason) navigate('/login', { replace: true, state: storedReturnTo() });
  }, [hash, dispatch, navigate]);
  return problem && t(isSignInProblem(problem) ? signInProblems[problem] : 'googleFailed');
}

/** Logs in with any passkey that the browser offers. */
function PasskeyButton() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectAuthPending);
  const { state, error, send } = useSaga((deps) =>
    request(deps, async (api) => presentPasskey(await api.startPasskeyLogin({}, { token: null }))),
  );
  const [isMissing, setMissing] = useState(false);
  const requestPasskey = () => {
    setMissing(false);
    send(undefined, (credential) => {
      if (credential) dispatch(passkeyPresented(credential));
      else setMissing(true);
    });
  };
  const problem = isMissing ? t('passkeyFailed') : error;
  return (
    <div className={classes.problem}>
      <Button variant="default" fullWidth loading={pending || state === 'loading'} onClick={requestPasskey}>
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

export default function Login() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state } = useLocation();
  const problem = useSignInReturn();
  const {
    registration = pageRegistration(),
    openId,
    passwordLogin,
  } = useResource('getRegistration', {}).data ?? {};
  const isClosed = registration === 'closed';
  const isPasswordOff = passwordLogin === 'off';
  const [isFormOpen, setFormOpen] = useState(false);
  const formError = useSelector(selectAuthError);
  /** The form shows its error itself, but not while it is folded away. */
  const error = problem ?? (isPasswordOff && !isFormOpen ? formError : undefined);
  const form = (
    <CredentialsForm
      submitLabel={t('login')}
      passwordKind="current-password"
      onSubmit={(credentials) => dispatch(loginSubmitted(credentials))}
    />
  );
  return (
    <AuthCard
      title={t('loginTitle')}
      tab={t('loginTab')}
      lead={t('loginLead')}
      footerLink={
        isClosed ? null : (
          <Link to="/signup" state={state} data-for="visitors">
            {t('toSignup')}
          </Link>
        )
      }
    >
      <IntendedJoinNote by="login" />
      {!isPasswordOff && (
        <>
          {form}
          <p className={classes.other}>
            <Link to="/forgot">{t('forgot')}</Link>
          </p>
          <OrDivider />
        </>
      )}
      {openId && (
        <OpenIdButton>{t('loginWithOpenId', { name: openId.name ?? t('singleSignOn') })}</OpenIdButton>
      )}
      <GoogleButton>{t('loginWithGoogle')}</GoogleButton>
      {error && (
        <div className={classes.problem}>
          <FormError>{error}</FormError>
        </div>
      )}
      {isPasskeyAddress() && <PasskeyButton />}
      {isPasswordOff && (
        <details className={classes.folded} onToggle={({ currentTarget }) => setFormOpen(currentTarget.open)}>
          <summary>{t('loginWithPassword')}</summary>
          <p>{t('loginWithPasswordHint')}</p>
          {isFormOpen && form}
        </details>
      )}
    </AuthCard>
  );
}

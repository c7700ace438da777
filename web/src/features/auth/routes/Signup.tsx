import { Button } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { signupSubmitted } from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { AuthCard } from '../components/AuthCard.tsx';
import { IntendedJoinNote } from '../components/IntendedJoin.tsx';
import { CredentialsForm, GoogleButton, OpenIdButton, OrDivider } from '../components/login-methods.tsx';

const parameter = 'invitation';

const codeInState = (state: unknown): string =>
  typeof state === 'object' && state !== null && parameter in state && typeof state.invitation === 'string'
    ? state.invitation
    : '';

/** The code in what somebody entered, which may be the whole link of an invitation. */
const codeIn = (text: string): string => /[?&]invitation=([^&#\s]+)/.exec(text)?.[1] ?? text.trim();

/**
 * Returns the code of an invitation's link. It is moved from the address to the state of the page: there it survives a visit to
 * /login, and is part of no bookmark, no `Referer` and no screenshot.
 */
function useLinkedInvitation(): string {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const linked = new URLSearchParams(search).get(parameter);
  useEffect(() => {
    if (linked !== null) navigate(pathname, { replace: true, state: { ...state, [parameter]: linked } });
  }, [linked, navigate, pathname, state]);
  return linked ?? codeInState(state);
}

/** Where nobody can sign up. */
function Closed() {
  const t = useTranslations();
  const { state } = useLocation();
  return (
    <AuthCard
      title={t('closedTitle')}
      tab={t('signupTab')}
      lead={t('closedLead')}
      footerLink={<Link to="/home">{t('toHome')}</Link>}
    >
      <Button component={Link} to="/login" state={state} fullWidth>
        {t('login')}
      </Button>
    </AuthCard>
  );
}

export default function Signup() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state } = useLocation();
  // Most places are open, so the form does not wait for this; what is sent too early, or while this fails, the server rejects.
  const { registration, openId, passwordLogin } = useResource('getRegistration', {}).data ?? {};
  const linked = useLinkedInvitation();
  const [entered, setEntered] = useState(linked);
  const isClosed = registration === 'closed';
  if (isClosed && !openId?.signUp) return <Closed />;
  const hasForm = !isClosed && passwordLogin !== 'off';
  const isInvitationNeeded = registration ? registration === 'invitation' : linked !== '';
  const invitation = isInvitationNeeded ? codeIn(entered) : '';
  return (
    <AuthCard
      title={t('signupTitle')}
      tab={t('signupTab')}
      lead={t(
        !hasForm ? 'signUpElsewhereLead' : isInvitationNeeded && !linked ? 'invitationLead' : 'signupLead',
      )}
      footerLink={
        <Link to="/login" state={state}>
          {t('toLogin')}
        </Link>
      }
    >
      <IntendedJoinNote by="signup" />
      {hasForm && (
        <>
          <CredentialsForm
            submitLabel={t('signUp')}
            passwordKind="new-password"
            usernameHint={t('usernameHint')}
            passwordHint={t('passwordHint')}
            onSubmit={(credentials) =>
              dispatch(signupSubmitted({ ...credentials, ...(invitation && { invitation }) }))
            }
          >
            {isInvitationNeeded && (
              <LimitedTextInput
                limit={textLimits.invitation}
                name="invitation"
                label={t('invitation')}
                required
                withAsterisk={false}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={entered}
                onChange={(event) => setEntered(event.currentTarget.value)}
              />
            )}
          </CredentialsForm>
          <OrDivider />
        </>
      )}
      {openId?.signUp && (
        <OpenIdButton>{t('signUpWithOpenId', { name: openId.name ?? t('singleSignOn') })}</OpenIdButton>
      )}
      {!isClosed && <GoogleButton invitation={invitation}>{t('signUpWithGoogle')}</GoogleButton>}
    </AuthCard>
  );
}

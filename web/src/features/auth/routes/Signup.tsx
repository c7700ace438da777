import { Button, Text } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { type ReactNode, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { signupSubmitted } from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { pageRegistration } from '../../../shared/lib/page-registration.ts';
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

/** After a sign-up that needs approval, or a login before it was given. */
function Waiting() {
  const t = useTranslations();
  return (
    <AuthCard
      title={t('waitingTitle')}
      tab={t('waitingTitle')}
      lead={t('approvalLead')}
      footerLink={<Link to="/login">{t('backToLogin')}</Link>}
    >
      <Text fw={600}>{t('waiting')}</Text>
      <Button component={Link} to="/home" variant="default" fullWidth mt={24}>
        {t('toHome')}
      </Button>
    </AuthCard>
  );
}

/** How somebody signs up. */
const modes = ['open', 'approval', 'invitation'] as const;
type Mode = (typeof modes)[number];

const leads = {
  open: 'signupLead',
  approval: 'approvalLead',
  invitation: 'invitationLead',
} as const satisfies Record<Mode, string>;

/** While the page is prerendered, who can sign up is not known: it gets what each mode needs, and its styles show one of them. */
const isPrerendering = import.meta.env.SSR;

/** What is only shown in one mode. */
function Only({
  mode,
  current,
  element: Element = 'div',
  children,
}: {
  mode: Mode;
  current: Mode;
  element?: 'div' | 'span';
  children: ReactNode;
}) {
  if (isPrerendering) return <Element data-mode={mode}>{children}</Element>;
  return mode === current && children;
}

function SignupForm() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state } = useLocation();
  // Most places are open, so the form does not wait for this; what is sent too early, or while this fails, the server rejects.
  const {
    registration = pageRegistration(),
    openId,
    passwordLogin,
  } = useResource('getRegistration', {}).data ?? {};
  const linked = useLinkedInvitation();
  const [entered, setEntered] = useState(linked);
  const [email, setEmail] = useState('');
  const isClosed = registration === 'closed';
  if (isClosed && !openId?.signUp) return <Closed />;
  const hasForm = !isClosed && passwordLogin !== 'off';
  const isInvited = linked !== '' && registration !== 'open';
  const mode: Mode =
    registration === 'invitation' || isInvited
      ? 'invitation'
      : registration === 'approval'
        ? 'approval'
        : 'open';
  const invitation = mode === 'invitation' ? codeIn(entered) : '';
  const leadOf = (each: Mode) => (
    <Only key={each} mode={each} current={mode} element="span">
      {t(isInvited ? 'signupLead' : leads[each])}
    </Only>
  );
  return (
    <AuthCard
      title={t('signupTitle')}
      tab={t('signupTab')}
      lead={hasForm ? modes.map(leadOf) : t('signUpElsewhereLead')}
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
              dispatch(
                signupSubmitted({
                  ...credentials,
                  ...(invitation && { invitation }),
                  ...(mode === 'approval' && email && { email }),
                }),
              )
            }
          >
            <Only mode="invitation" current={mode}>
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
            </Only>
            <Only mode="approval" current={mode}>
              <LimitedTextInput
                limit={textLimits.email}
                type="email"
                name="email"
                label={t('emailOptional')}
                description={t('emailHint')}
                autoComplete="email"
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
            </Only>
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

export default function Signup() {
  return useLocation().hash === '#waiting' ? <Waiting /> : <SignupForm />;
}

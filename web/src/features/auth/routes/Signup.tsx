import { useDispatch } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { signupSubmitted } from '../../../entities/auth/slice.ts';
import { AuthCard } from '../components/AuthCard.tsx';
import { IntendedJoinNote } from '../components/IntendedJoin.tsx';
import { CredentialsForm, GoogleButton, OrDivider } from '../components/login-methods.tsx';
import { useTranslations } from '../translations.ts';

export default function Signup() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state } = useLocation();
  return (
    <AuthCard
      title={t('signupTitle')}
      tab={t('signupTab')}
      lead={t('signupLead')}
      footerLink={
        <Link to="/login" state={state}>
          {t('toLogin')}
        </Link>
      }
    >
      <IntendedJoinNote by="signup" />
      <CredentialsForm
        submitLabel={t('signUp')}
        passwordKind="new-password"
        usernameHint={t('usernameHint')}
        passwordHint={t('passwordHint')}
        onSubmit={(credentials) => dispatch(signupSubmitted(credentials))}
      />
      <OrDivider />
      <GoogleButton>{t('signUpWithGoogle')}</GoogleButton>
    </AuthCard>
  );
}

import { useDispatch } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { loginSubmitted } from '../../../entities/auth/slice.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import classes from '../components/AuthCard.module.css';
import { AuthCard } from '../components/AuthCard.tsx';
import { CredentialsForm } from '../components/CredentialsForm.tsx';
import { GoogleButton } from '../components/GoogleButton.tsx';
import { OrDivider } from '../components/OrDivider.tsx';
import { PasskeyButton } from '../components/PasskeyButton.tsx';
import { useGoogleReturn } from '../components/use-google-return.ts';
import { useKept } from '../components/use-kept.ts';
import { useTranslations } from '../translations.ts';

export default function Login() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state } = useLocation();
  const problem = useGoogleReturn();
  useKept();
  return (
    <AuthCard
      title={t('loginTitle')}
      tab={t('loginTab')}
      lead={t('loginLead')}
      other={
        <Link to="/signup" state={state}>
          {t('toSignup')}
        </Link>
      }
    >
      <CredentialsForm
        submitLabel={t('login')}
        passwordKind="current-password"
        onSubmit={(credentials) => dispatch(loginSubmitted(credentials))}
      />
      <p className={classes.other}>
        <Link to="/forgot">{t('forgot')}</Link>
      </p>
      <OrDivider />
      <GoogleButton>{t('loginWithGoogle')}</GoogleButton>
      {problem && (
        <div className={classes.problem}>
          <FormError>{problem}</FormError>
        </div>
      )}
      <PasskeyButton />
    </AuthCard>
  );
}

import { useDispatch } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { loginSubmitted } from '../../../entities/auth/slice.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import classes from '../components/AuthCard.module.css';
import { AuthCard } from '../components/AuthCard.tsx';
import { CredentialsForm } from '../components/CredentialsForm.tsx';
import { GoogleButton } from '../components/GoogleButton.tsx';
import { Or } from '../components/Or.tsx';
import { useGoogleReturn } from '../components/use-google-return.ts';

export default function Login() {
  const dispatch = useDispatch();
  const { state } = useLocation();
  const problem = useGoogleReturn();
  return (
    <AuthCard
      title="Welcome back"
      tab="Log In"
      lead="Your challenges are waiting."
      other={
        <Link to="/signup" state={state}>
          Don't have an account? Create Account
        </Link>
      }
    >
      <CredentialsForm
        submitLabel="Login"
        passwordKind="current-password"
        onSubmit={(credentials) => dispatch(loginSubmitted(credentials))}
      />
      <Or />
      <GoogleButton>Sign in with Google</GoogleButton>
      {problem && (
        <div className={classes.problem}>
          <FormError>{problem}</FormError>
        </div>
      )}
    </AuthCard>
  );
}

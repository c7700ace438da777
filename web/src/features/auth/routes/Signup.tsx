import { useDispatch } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { signupSubmitted } from '../../../entities/auth/slice.ts';
import { AuthCard } from '../components/AuthCard.tsx';
import { CredentialsForm } from '../components/CredentialsForm.tsx';
import { GoogleButton } from '../components/GoogleButton.tsx';
import { Or } from '../components/Or.tsx';

export default function Signup() {
  const dispatch = useDispatch();
  const { state } = useLocation();
  return (
    <AuthCard
      title="Come along"
      tab="Sign Up"
      lead="A name and a password, and you can go outside."
      other={
        <Link to="/login" state={state}>
          Already have an account? Log in
        </Link>
      }
    >
      <CredentialsForm
        submitLabel="Sign Up"
        passwordKind="new-password"
        usernameHint="3 to 30 letters, digits, dots, underscores or hyphens"
        passwordHint="At least 8 characters"
        onSubmit={(credentials) => dispatch(signupSubmitted(credentials))}
      />
      <Or />
      <GoogleButton>Sign Up with Google</GoogleButton>
    </AuthCard>
  );
}

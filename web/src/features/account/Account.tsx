import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { EmailAddress } from './components/EmailAddress.tsx';
import { PasswordForm } from './components/PasswordForm.tsx';
import { Sessions } from './components/Sessions.tsx';

/** How the person gets in, and where they are. */
export function Account() {
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <>
      <EmailAddress email={user.email} />
      <PasswordForm username={user.username} />
      <Sessions />
    </>
  );
}

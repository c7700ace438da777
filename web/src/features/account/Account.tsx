import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { DeleteAccount } from './components/DeleteAccount.tsx';
import { EmailAddress } from './components/EmailAddress.tsx';
import { GoogleLink } from './components/GoogleLink.tsx';
import { MyData } from './components/MyData.tsx';
import { Passkeys } from './components/Passkeys.tsx';
import { PasswordForm } from './components/PasswordForm.tsx';
import { Sessions } from './components/Sessions.tsx';

/** The person's login methods and sessions. */
export function Account() {
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <>
      <EmailAddress email={user.email} />
      <PasswordForm username={user.username} />
      <Passkeys username={user.username} />
      <GoogleLink username={user.username} />
      <Sessions />
      <MyData />
      <DeleteAccount username={user.username} />
    </>
  );
}

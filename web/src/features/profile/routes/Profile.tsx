import '@mantine/core/styles/Input.layer.css';
import { useSelector } from 'react-redux';
import { Page } from '../../../shared/ui/Page.tsx';
import { selectUser } from '../../auth/selectors.ts';
import { ChatSettings } from '../../messenger/components/ChatSettings.tsx';
import { ProfileCard } from '../components/ProfileCard.tsx';
import { ProfileForm } from '../components/ProfileForm.tsx';

export default function Profile() {
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <Page width="medium">
      <ProfileCard user={user} />
      <ProfileForm user={user} />
      <ChatSettings />
    </Page>
  );
}

import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { Profile } from '../../features/profile/routes/Profile.tsx';

/** The person's own page, with what they want of the messenger below. */
export default function ProfilePage() {
  return (
    <Profile>
      <ChatSettings />
    </Profile>
  );
}

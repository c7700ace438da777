import type { PublicUser } from '@wayquest/contracts';
import { FriendButton } from '../../../entities/friends/FriendButton.tsx';
import { fullName } from '../../../shared/lib/person.ts';
import { PersonCard } from '../../../shared/ui/PersonCard.tsx';

/** A user in a list. */
export function UserCard({ user }: { user: PublicUser }) {
  const place = [user.city, user.state].filter(Boolean).join(', ');
  return (
    <PersonCard user={user} actions={<FriendButton user={user} />}>
      {fullName(user) && <p>{fullName(user)}</p>}
      {place && <p>{place}</p>}
    </PersonCard>
  );
}

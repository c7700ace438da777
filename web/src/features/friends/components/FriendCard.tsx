import type { PublicUser } from '@wayquest/contracts';
import { SendMessageButton } from '../../../entities/conversations/SendMessageButton.tsx';
import { fullName } from '../../../shared/lib/person.ts';
import { PersonCard } from '../../../shared/ui/PersonCard.tsx';

/** A friend, with the way to write to them. */
export function FriendCard({ friend }: { friend: PublicUser }) {
  const place = [friend.city, friend.state].filter(Boolean).join(' ');
  const words = [fullName(friend), place && `from ${place}`].filter(Boolean).join(' ');
  return (
    <PersonCard user={friend} actions={<SendMessageButton friendId={friend.id} />}>
      {words && <p>{words}</p>}
    </PersonCard>
  );
}

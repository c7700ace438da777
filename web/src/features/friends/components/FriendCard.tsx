import type { PublicUser } from '@wayquest/contracts';
import { SendMessageButton } from '../../../entities/conversations/SendMessageButton.tsx';
import { usePeopleTranslations } from '../../../entities/friends/translations.ts';
import { fullName } from '../../../shared/lib/person.ts';
import { PersonCard } from '../../../shared/ui/PersonCard.tsx';

/** A friend, with a button to send a message. */
export function FriendCard({ friend }: { friend: PublicUser }) {
  const t = usePeopleTranslations();
  const place = [friend.city, friend.state].filter(Boolean).join(' ');
  const name = fullName(friend);
  const words = place ? (name ? t('nameFrom', { name, place }) : t('from', { place })) : name;
  return (
    <PersonCard user={friend} actions={<SendMessageButton friendId={friend.id} />}>
      {words && <p>{words}</p>}
    </PersonCard>
  );
}

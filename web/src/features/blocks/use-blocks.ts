import type { PublicUser } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { resyncAsked } from '../../entities/realtime/events.ts';
import { useAsked } from '../../shared/lib/use-asked.ts';
import { useChange } from '../../shared/lib/use-change.ts';

/** Whom the person has blocked, once that is known, and the ways to change it. */
export function useBlocks() {
  const dispatch = useDispatch();
  const asked = useAsked('blocks', (client) => client.listBlocks());
  const [changed, setChanged] = useState<PublicUser[] | null>(null);
  const change = useChange();
  const blocked = changed ?? asked.answer;

  const set = (user: PublicUser, stands: boolean) =>
    change.make(
      async (client) => {
        if (stands) await client.blockUser({ body: { userId: user.id } });
        else await client.unblockUser({ params: { userId: String(user.id) } });
      },
      () => {
        const others = (blocked ?? []).filter(({ id }) => id !== user.id);
        setChanged(stands ? [user, ...others] : others);
        // Friends, requests and conversations are others now.
        dispatch(resyncAsked());
      },
    );

  return {
    asked,
    blocked,
    change,
    block: (user: PublicUser) => set(user, true),
    unblock: (user: PublicUser) => set(user, false),
  };
}

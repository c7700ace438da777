import type { PublicUser } from '@wayquest/contracts';
import { useContext, useState } from 'react';
import { useDispatch } from 'react-redux';
import { resyncAsked } from '../../entities/realtime/events.ts';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { ApiContext, useAsked } from '../../shared/lib/use-asked.ts';

/** Whom the person has blocked, once that is known, and the ways to change it. */
export function useBlocks() {
  const api = useContext(ApiContext);
  const dispatch = useDispatch();
  const asked = useAsked('blocks', (client) => client.listBlocks());
  const [changed, setChanged] = useState<PublicUser[] | null>(null);
  const [change, setChange] = useState<RequestStatus>(idle);
  const blocked = changed ?? asked.answer;

  const set = async (user: PublicUser, stands: boolean) => {
    setChange(loading);
    try {
      const client = await api();
      if (stands) await client.blockUser({ body: { userId: user.id } });
      else await client.unblockUser({ params: { userId: String(user.id) } });
      const others = (blocked ?? []).filter(({ id }) => id !== user.id);
      setChanged(stands ? [user, ...others] : others);
      setChange(ready);
      // Friends, requests and conversations are others now.
      dispatch(resyncAsked());
    } catch (error) {
      setChange(failed(sentenceOf(error)));
    }
  };

  return {
    asked,
    blocked,
    change,
    block: (user: PublicUser) => set(user, true),
    unblock: (user: PublicUser) => set(user, false),
  };
}

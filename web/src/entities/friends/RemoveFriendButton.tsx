import { Button } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { removeRequested, selectIsPending, selectRelation, selectRequestWith } from './slice.ts';
import { usePeopleTranslations } from './translations.ts';

type State = Parameters<typeof selectRelation>[0];

const labels = { friends: 'removeFriend', sent: 'cancelInvitation', received: 'decline' } as const;

/** Ends a friendship, after a confirmation, or withdraws a request. */
export function RemoveFriendButton({
  user: { id, username },
  className,
}: {
  user: PublicUser;
  className: string | undefined;
}) {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const relation = useSelector((state: State) => selectRelation(state, id));
  const request = useSelector((state: State) => selectRequestWith(state, id));
  const pending = useSelector((state: State) => selectIsPending(state, id));
  if (!request || relation === 'self' || relation === 'none') return null;
  const remove = () => {
    dialog.current?.close();
    dispatch(removeRequested({ id: request.id, otherId: id }));
  };
  return (
    <>
      <Button
        className={className ?? ''}
        variant="subtle"
        color="gray"
        size="sm"
        disabled={pending}
        onClick={() => (relation === 'friends' ? dialog.current?.showModal() : remove())}
      >
        {t(labels[relation])}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('removeTitle', { username })}
        confirmLabel={t('removeFriend')}
        cancelLabel={t('stayFriends')}
        busy={pending}
        onConfirm={remove}
      >
        <p>{t('removeStory')}</p>
      </ConfirmDialog>
    </>
  );
}

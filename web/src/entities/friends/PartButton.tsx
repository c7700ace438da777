import { Button } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { selectIsPending, selectRelation, selectRequestWith } from './selectors.ts';
import { removeRequested } from './slice.ts';

type State = Parameters<typeof selectRelation>[0];

const labels = { friends: 'Remove friend', invited: 'Cancel invitation', asked: 'Decline' };

/** Takes a friendship or an invitation back; a friendship only after asking. */
export function PartButton({
  user: { id, username },
  className,
}: {
  user: PublicUser;
  className: string | undefined;
}) {
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const relation = useSelector((state: State) => selectRelation(state, id));
  const request = useSelector((state: State) => selectRequestWith(state, id));
  const pending = useSelector((state: State) => selectIsPending(state, id));
  if (!request || relation === 'self' || relation === 'none') return null;
  const part = () => {
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
        onClick={() => (relation === 'friends' ? dialog.current?.showModal() : part())}
      >
        {labels[relation]}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={`Remove ${username} as a friend?`}
        confirmLabel="Remove friend"
        cancelLabel="Stay friends"
        busy={pending}
        onConfirm={part}
      >
        <p>You can still read what you wrote to each other, but not write any more.</p>
      </ConfirmDialog>
    </>
  );
}

import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { useDispatch } from 'react-redux';
import type { Outgoing } from '../thread.ts';
import { outgoingDropped, retryRequested } from '../threads-slice.ts';
import classes from './Bubble.module.css';

/** How far one's own message has come. */
export function Mark({ state }: { state: 'sending' | 'sent' | 'read' }) {
  if (state === 'sending') return <IconClock size={15} role="img" aria-label="Sending" />;
  if (state === 'sent') return <IconCheck size={15} role="img" aria-label="Sent" />;
  return <IconChecks className={classes.read} size={15} role="img" aria-label="Read" />;
}

/** Why a message was not sent, with the ways on: once more, or not at all. */
export function Failed({ conversationId, outgoing }: { conversationId: number; outgoing: Outgoing }) {
  const dispatch = useDispatch();
  return (
    <>
      <span className={classes.failed}>Not sent. {outgoing.error}</span>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(retryRequested({ id: conversationId }))}
      >
        Retry
      </UnstyledButton>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(outgoingDropped({ id: conversationId, clientId: outgoing.clientId }))}
      >
        Discard
      </UnstyledButton>
    </>
  );
}

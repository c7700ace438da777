import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { useDispatch } from 'react-redux';
import type { Outgoing } from '../thread.ts';
import { outgoingDropped, retryRequested } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Bubble.module.css';

/** The delivery state of one's own message. */
export function Mark({ state }: { state: 'sending' | 'sent' | 'read' }) {
  const t = useTranslations();
  if (state === 'sending') return <IconClock size={15} role="img" aria-label={t('sending')} />;
  if (state === 'sent') return <IconCheck size={15} role="img" aria-label={t('sent')} />;
  return <IconChecks className={classes.read} size={15} role="img" aria-label={t('read')} />;
}

/** Why a message was not sent, with buttons to retry or discard it. */
export function Failed({ conversationId, outgoing }: { conversationId: number; outgoing: Outgoing }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  return (
    <>
      <span className={classes.failed}>{t('notSent', { reason: outgoing.error ?? t('pageClosed') })}</span>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(retryRequested({ id: conversationId }))}
      >
        {t('retry')}
      </UnstyledButton>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(outgoingDropped({ id: conversationId, clientId: outgoing.clientId }))}
      >
        {t('discard')}
      </UnstyledButton>
    </>
  );
}

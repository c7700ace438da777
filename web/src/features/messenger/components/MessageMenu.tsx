import { UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconCopy, IconFlag, IconTrash, type TablerIcon } from '@tabler/icons-react';
import type { Message } from '@wayquest/contracts';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { messageDeleted } from '../../../entities/realtime/events.ts';
import { FormDialog } from '../../../entities/reports/FormDialog.tsx';
import { LazyReportDialog } from '../../../entities/reports/lazy.tsx';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './MessageMenu.module.css';

/** The distance of the menu to the edges of the window, in pixels. */
const margin = 8;

/** Places a dialog beside the element that opened it, within the window. On a phone the stylesheet puts it at the bottom. */
function place(dialog: HTMLDialogElement, opener: HTMLElement) {
  const anchor = opener.getBoundingClientRect();
  const { width, height } = dialog.getBoundingClientRect();
  const left = Math.min(anchor.left, innerWidth - width - margin);
  const top = Math.min(anchor.bottom, innerHeight - height - margin);
  dialog.style.setProperty('--left', `${Math.max(margin, left)}px`);
  dialog.style.setProperty('--top', `${Math.max(margin, top)}px`);
}

interface ActionProps {
  Icon: TablerIcon;
  onClick: () => void;
  children: ReactNode;
}

function Action({ Icon, onClick, children }: ActionProps) {
  return (
    <UnstyledButton className={classes.action} onClick={onClick}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {children}
    </UnstyledButton>
  );
}

interface DialogProps {
  message: Message;
  onClose: () => void;
}

function DeleteDialog({ message: { id: messageId, conversationId }, onClose }: DialogProps) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error, send } = useMutation('deleteMessage');
  return (
    <FormDialog
      title={t('deleteTitle')}
      submitLabel={t('deleteOwn')}
      isDestructive
      state={state}
      error={error}
      onSubmit={() =>
        send({ params: { conversationId, id: messageId } }, () => {
          dispatch(messageDeleted({ conversationId, messageId }));
          onClose();
        })
      }
      onClose={onClose}
    >
      <p>{t('deleteWarning')}</p>
    </FormDialog>
  );
}

interface Props extends DialogProps {
  /** The button that opened it, beside which it is shown. */
  opener: HTMLElement;
  /** Undefined if nobody can be answered. */
  onReply: ((text: string) => void) | undefined;
}

/** What can be done with a message: in a menu, and for some of it in a dialog after it. */
export function MessageMenu({ message, opener, onReply, onClose }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [step, setStep] = useState<'menu' | 'delete' | 'report'>('menu');
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    if (!opened) return;
    opened.showModal();
    place(opened, opener);
    // Closing it before it is unmounted returns the focus to the button.
    return () => opened.close();
  }, [opener]);
  const copy = async () => {
    onClose();
    try {
      await navigator.clipboard.writeText(message.text);
      dispatch(noticed({ text: t('copied'), tone: 'good' }));
    } catch {
      dispatch(noticed({ text: t('notCopied'), tone: 'bad' }));
    }
  };
  const reply = () => {
    dialog.current?.close();
    onReply?.(message.text);
  };
  // Asked again: what was loaded an hour ago, or came as an event, does not say it.
  const found = useResource('listMessages', {
    params: { conversationId: message.conversationId },
    query: { after: message.id - 1, limit: 1 },
  });
  const can = found.data?.[0]?.can ?? message.can;
  if (step === 'delete') return <DeleteDialog message={message} onClose={onClose} />;
  if (step === 'report') {
    const { id, conversationId } = message;
    return <LazyReportDialog kind="message" id={id} conversationId={conversationId} onClose={onClose} />;
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={classes.menu}
      aria-label={t('actions')}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // On its backdrop.
        if (target === currentTarget) onClose();
      }}
    >
      <div className={classes.actions}>
        {onReply && (
          <Action Icon={IconArrowBackUp} onClick={reply}>
            {t('reply')}
          </Action>
        )}
        <Action Icon={IconCopy} onClick={() => void copy()}>
          {t('copy')}
        </Action>
        {can?.delete && (
          <Action Icon={IconTrash} onClick={() => setStep('delete')}>
            {t('deleteOwn')}
          </Action>
        )}
        {can?.report && (
          <Action Icon={IconFlag} onClick={() => setStep('report')}>
            {t('report')}
          </Action>
        )}
      </div>
    </dialog>
  );
}

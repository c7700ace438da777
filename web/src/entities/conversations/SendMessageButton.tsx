import { Button, type ButtonProps } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { usePeopleTranslations } from '../friends/translations.ts';
import { conversationRequested, selectOpening } from './slice.ts';

/** Opens the conversation with a friend. */
export function SendMessageButton({ friendId, variant = 'light' }: { friendId: number } & ButtonProps) {
  const t = usePeopleTranslations();
  const dispatch = useDispatch();
  const opening = useSelector(selectOpening) === friendId;
  return (
    <Button
      variant={variant}
      loading={opening}
      leftSection={<IconMessageCircle size={18} aria-hidden />}
      onClick={() => dispatch(conversationRequested(friendId))}
    >
      {t('sendMessage')}
    </Button>
  );
}

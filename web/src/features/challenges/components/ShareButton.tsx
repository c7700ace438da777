import { Button } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { useDispatch } from 'react-redux';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { useWords } from '../words.ts';

/** Passes a challenge's address on: to whatever the device shares with, else by the clipboard. */
export function ShareButton({ id, name }: { id: number; name: string }) {
  const t = useWords();
  const dispatch = useDispatch();
  const url = `${location.origin}/challenges/${id}`;
  const share = async () => {
    try {
      if (navigator.share) return await navigator.share({ url, title: name });
      await navigator.clipboard.writeText(url);
      dispatch(noticed({ text: t('linkCopied'), tone: 'good' }));
    } catch (error) {
      // Whoever changes their mind has not failed.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      dispatch(noticed({ text: t('linkNotCopied', { url }), tone: 'bad' }));
    }
  };
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconShare size={18} aria-hidden />}
      onClick={() => void share()}
    >
      {t('share')}
    </Button>
  );
}

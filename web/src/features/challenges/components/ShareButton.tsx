import { Button } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { useDispatch } from 'react-redux';
import { shareNatively } from '../../../shared/lib/browser.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { useTranslations } from '../translations.ts';

/** Shares a challenge's URL: with the device's dialog, otherwise by the clipboard. */
export function ShareButton({ id, name }: { id: number; name: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const url = `${location.origin}/challenges/${id}`;
  const share = async () => {
    try {
      if (typeof navigator.share === 'function') return await shareNatively({ url, title: name });
      await navigator.clipboard.writeText(url);
      dispatch(noticed({ text: t('linkCopied'), tone: 'good' }));
    } catch {
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

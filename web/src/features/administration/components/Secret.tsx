import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import classes from '../Administration.module.css';
import { useTranslations } from '../translations.ts';

/** What has just been done, which takes the focus and is announced; with a link that is shown only once, if there is one. */
export function Secret({ path, children }: { path?: string | undefined; children: ReactNode }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is another result
  useEffect(() => element.current?.focus(), [path]);
  const link = path && location.origin + path;
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      dispatch(noticed({ text: t('copied'), tone: 'good' }));
    } catch {
      dispatch(noticed({ text: t('notCopied'), tone: 'bad' }));
    }
  };
  return (
    <div ref={element} tabIndex={-1} role="status" className={classes.secret}>
      <p>{children}</p>
      {link && (
        <>
          <div className={classes.form}>
            <TextInput
              label={t('link')}
              value={link}
              readOnly
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <Button variant="default" onClick={() => copy(link)}>
              {t('copy')}
            </Button>
          </div>
          <p className={classes.quiet}>{t('shownOnce')}</p>
        </>
      )}
    </div>
  );
}

/** The path of a link that sets a password. */
export const passwordPath = ({ token }: { token?: string | undefined }): string | undefined =>
  token && `/reset#token=${token}`;

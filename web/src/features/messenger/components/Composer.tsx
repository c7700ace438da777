import { Button } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { textLimits } from '@wayquest/contracts';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { isComposing } from '../../../shared/lib/browser.ts';
import { LimitedTextarea } from '../../../shared/ui/limited-text.tsx';
import { draftChanged, type draftsSlice, selectDraft } from '../drafts-slice.ts';
import { selectPreferences } from '../preferences-slice.ts';
import { messageSubmitted } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Composer.module.css';

type State = Parameters<typeof draftsSlice.selectSlice>[0];

/** Whether the keyboard is probably on the screen, and has no Shift+Enter for a line break. */
const hasTouchKeyboard = () => matchMedia('(hover: none), (pointer: coarse)').matches;

const sends = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !isComposing(nativeEvent) && !hasTouchKeyboard();

/** The input for messages. Enter sends, Shift+Enter breaks the line; on a touch screen Enter breaks the line. */
export function Composer({ conversationId, to }: { conversationId: number; to: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const text = useSelector((state: State) => selectDraft(state, conversationId));
  /** Whether Send was pressed without a text. */
  const [missing, setMissing] = useState(false);
  const { keepDrafts } = useSelector(selectPreferences);
  useEffect(() => {
    // On a touch screen the focus would open the keyboard over the messages.
    if (!hasTouchKeyboard()) input.current?.focus();
  }, []);
  useEffect(
    () => () => {
      if (!keepDrafts) dispatch(draftChanged({ id: conversationId, text: '' }));
    },
    [dispatch, keepDrafts, conversationId],
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    input.current?.focus();
    setMissing(!text.trim());
    if (text.trim()) dispatch(messageSubmitted(conversationId, text));
  };
  return (
    <form ref={form} className={classes.form} onSubmit={send}>
      <LimitedTextarea
        ref={input}
        className={classes.input ?? ''}
        name="message"
        enterKeyHint={hasTouchKeyboard() ? 'enter' : 'send'}
        aria-label={t('messageTo', { username: to })}
        placeholder={t('placeholder')}
        autosize
        minRows={1}
        maxRows={6}
        limit={textLimits.message}
        error={missing && t('writeFirst')}
        value={text}
        onChange={({ currentTarget }) => {
          setMissing(false);
          dispatch(draftChanged({ id: conversationId, text: currentTarget.value }));
        }}
        onKeyDown={(event) => {
          if (!sends(event)) return;
          event.preventDefault();
          form.current?.requestSubmit();
        }}
      />
      <Button type="submit" rightSection={<IconSend2 size={18} aria-hidden />}>
        {t('send')}
      </Button>
    </form>
  );
}

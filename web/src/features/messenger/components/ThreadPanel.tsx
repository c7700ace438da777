import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconSend2 } from '@tabler/icons-react';
import { type Conversation, textLimits } from '@wayquest/contracts';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { Link } from 'react-router-dom';
import { PresenceAvatar } from '../../../entities/friends/PresenceAvatar.tsx';
import {
  type realtimeSlice,
  selectConnection,
  selectIsOnline,
  selectIsTyping,
} from '../../../entities/realtime/slice.ts';
import { isComposing } from '../../../shared/lib/browser.ts';
import { isDeleted, useName } from '../../../shared/lib/names.ts';
import { LimitedTextarea } from '../../../shared/ui/limited-text.tsx';
import { draftChanged, type draftsSlice, selectDraft } from '../drafts-slice.ts';
import { selectPreferences } from '../preferences-slice.ts';
import { quoteBefore } from '../quotes.ts';
import {
  messageSubmitted,
  selectThread,
  threadClosed,
  threadOpened,
  type threadsSlice,
} from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import { MessageLog } from './MessageLog.tsx';
import classes from './ThreadPanel.module.css';

type ComposerState = Parameters<typeof draftsSlice.selectSlice>[0];

/** Whether the keyboard is probably on the screen, and has no Shift+Enter for a line break. */
const hasTouchKeyboard = () => matchMedia('(hover: none), (pointer: coarse)').matches;

const sends = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !isComposing(nativeEvent) && !hasTouchKeyboard();

/** The input for messages. Enter sends, Shift+Enter breaks the line; on a touch screen Enter breaks the line. */
function Composer({
  conversationId,
  to,
  input,
}: {
  conversationId: number;
  to: string;
  input: RefObject<HTMLTextAreaElement | null>;
}) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const form = useRef<HTMLFormElement>(null);
  const text = useSelector((state: ComposerState) => selectDraft(state, conversationId));
  /** Whether Send was pressed without a text. */
  const [missing, setMissing] = useState(false);
  const { keepDrafts } = useSelector(selectPreferences);
  useEffect(() => {
    // On a touch screen the focus would open the keyboard over the messages.
    if (!hasTouchKeyboard()) input.current?.focus();
  }, [input]);
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

type State = Parameters<typeof threadsSlice.selectSlice>[0] & Parameters<typeof realtimeSlice.selectSlice>[0];

function Head({ user, isFriend }: Pick<Conversation, 'user'> & { isFriend: boolean }) {
  const t = useTranslations();
  const name = useName(user);
  const online = useSelector((state: State) => selectIsOnline(state, user.id));
  // Presence is known of friends only, and only while the connection is open.
  const known = useSelector(selectConnection) === 'up' && isFriend;
  return (
    <header className={classes.head}>
      <ActionIcon
        className={classes.back ?? ''}
        component={Link}
        to="/messenger"
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('back')}
      >
        <IconArrowLeft size={22} aria-hidden />
      </ActionIcon>
      <PresenceAvatar user={user} size={44} />
      <div className={classes.words}>
        <h2>{isDeleted(user) ? name : <Link to={`/users/${user.id}`}>{name}</Link>}</h2>
        {isFriend && <p className={classes.state}>{known && t(online ? 'online' : 'offline')}</p>}
      </div>
    </header>
  );
}

/** The open conversation. */
export function ThreadPanel({ conversation }: { conversation: Conversation }) {
  const t = useTranslations();
  const { id, user } = conversation;
  const canMessage = conversation.can?.message ?? false;
  const dispatch = useDispatch();
  const thread = useSelector((state: State) => selectThread(state, id));
  const typing = useSelector((state: State) => selectIsTyping(state, user.id));
  const store = useStore<ComposerState>();
  const input = useRef<HTMLTextAreaElement>(null);
  const reply = (answered: string) => {
    const text = quoteBefore(answered, selectDraft(store.getState(), id));
    dispatch(draftChanged({ id, text }));
    input.current?.focus();
  };
  useEffect(() => {
    dispatch(threadOpened(id));
    return () => {
      dispatch(threadClosed());
    };
  }, [dispatch, id]);
  return (
    <>
      <Head user={user} isFriend={canMessage} />
      {thread && (
        <MessageLog conversation={conversation} thread={thread} onReply={canMessage ? reply : undefined} />
      )}
      <div className={classes.typing} aria-live="polite">
        {typing && t('nameWriting', { username: user.username })}
      </div>
      {canMessage ? (
        <Composer conversationId={id} to={user.username} input={input} />
      ) : (
        <p className={classes.closed}>
          {isDeleted(user) ? t('accountDeleted') : t('noFriendsAnyMore', { username: user.username })}
        </p>
      )}
    </>
  );
}

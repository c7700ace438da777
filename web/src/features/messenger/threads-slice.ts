import {
  createEntityAdapter,
  createSlice,
  type EntityState,
  nanoid,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { Message } from '@wayquest/contracts';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import { messageDeleted, messageReceived } from '../../entities/realtime/events.ts';
import { failed, loading, ready } from '../../shared/lib/request-status.ts';
import { serverNow } from '../../shared/lib/server-time.ts';
import type { UnsentMessage } from '../../shared/lib/unsent-items.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import {
  append,
  isRetriedLater,
  markDeleted,
  mergeLoaded,
  newThread,
  type OutgoingMessage,
  type Thread,
} from './thread.ts';

interface Threads extends EntityState<Thread, number> {
  /** The open conversation. */
  openId: number | null;
}

const threads = createEntityAdapter<Thread>();

const initialState: Threads = threads.getInitialState({ openId: null });

/** A page of messages of a conversation; `complete` if there are none before it. */
interface Found {
  id: number;
  messages: Message[];
  complete: boolean;
}

/** When the last message was written, since their order is that of their times. */
let lastWrittenAt = 0;

function writtenNow(): string {
  lastWrittenAt = Math.max(lastWrittenAt + 1, serverNow());
  return new Date(lastWrittenAt).toISOString();
}

const find = (state: Threads, id: number): Thread | undefined => state.entities[id];

const findOutgoing = (state: Threads, id: number, clientId: string | null) =>
  find(state, id)?.outgoing.find((outgoing) => outgoing.clientId === clientId);

export const threadsSlice = createSlice({
  name: 'threads',
  initialState,
  reducers: {
    threadOpened: (state, { payload: id }: PayloadAction<number>) => {
      state.openId = id;
      const known = find(state, id);
      if (!known) threads.addOne(state, newThread(id));
      else if (known.newest.state === 'failed') known.newest = loading;
    },
    threadClosed: (state) => {
      state.openId = null;
    },
    newestReceived: (state, { payload: { id, messages, complete } }: PayloadAction<Found>) => {
      const thread = find(state, id);
      if (!thread) return;
      mergeLoaded(thread, messages);
      Object.assign(thread, { newest: ready, complete });
    },
    newestFailed: (state, { payload: { id, error } }: PayloadAction<{ id: number; error: string }>) => {
      const thread = find(state, id);
      if (thread) thread.newest = failed(error);
    },
    /** So much was missed that the messages which are known are too far away. */
    threadRestarted: (state, { payload: id }: PayloadAction<number>) => {
      const thread = find(state, id);
      if (thread) Object.assign(thread, { messages: [], newest: loading, complete: false });
    },
    missedReceived: (
      state,
      { payload: { id, messages } }: PayloadAction<{ id: number; messages: Message[] }>,
    ) => {
      const thread = find(state, id);
      if (thread) mergeLoaded(thread, messages);
    },
    olderRequested: (state, { payload: id }: PayloadAction<number>) => {
      const thread = find(state, id);
      if (thread) thread.older = loading;
    },
    olderReceived: (state, { payload: { id, messages, complete } }: PayloadAction<Found>) => {
      const thread = find(state, id);
      if (!thread) return;
      mergeLoaded(thread, messages);
      Object.assign(thread, { older: ready, complete });
    },
    olderFailed: (state, { payload: { id, error } }: PayloadAction<{ id: number; error: string }>) => {
      const thread = find(state, id);
      if (thread) thread.older = failed(error);
    },
    messageSubmitted: {
      prepare: (conversationId: number, text: string) => {
        const outgoing: OutgoingMessage = {
          clientId: nanoid(),
          text: text.trim(),
          createdAt: writtenNow(),
          state: 'sending',
          error: null,
          refused: false,
        };
        return { payload: { id: conversationId, outgoing } };
      },
      reducer: (
        state,
        { payload: { id, outgoing } }: PayloadAction<{ id: number; outgoing: OutgoingMessage }>,
      ) => {
        find(state, id)?.outgoing.push(outgoing);
      },
    },
    messageSaved: (state, { payload: message }: PayloadAction<Message>) => {
      const outgoing = findOutgoing(state, message.conversationId, message.clientId);
      if (outgoing) outgoing.state = 'sent';
      const thread = find(state, message.conversationId);
      if (thread) append(thread, message);
    },
    /** After a failure the later ones fail, too, so that the order is preserved. */
    sendFailed: (
      state,
      {
        payload: { id, error, refused },
      }: PayloadAction<Pick<OutgoingMessage, 'error' | 'refused'> & { id: number }>,
    ) => {
      for (const outgoing of find(state, id)?.outgoing ?? []) {
        if (outgoing.state === 'sending') Object.assign(outgoing, { state: 'failed', error, refused });
      }
    },
    /** Messages that an earlier visit or another tab has not sent yet. */
    unsentRestored: (state, { payload }: PayloadAction<UnsentMessage[]>) => {
      for (const { conversationId, refused, ...message } of payload) {
        if (!find(state, conversationId)) threads.addOne(state, newThread(conversationId));
        const thread = find(state, conversationId);
        const isKnown = [...(thread?.messages ?? []), ...(thread?.outgoing ?? [])].some(
          ({ clientId }) => clientId === message.clientId,
        );
        if (isKnown) continue;
        thread?.outgoing.push({
          ...message,
          state: 'failed',
          error: refused ?? null,
          refused: refused !== undefined,
        });
      }
    },
    retryRequested: (state, { payload: { id } }: PayloadAction<{ id: number }>) => {
      for (const outgoing of find(state, id)?.outgoing ?? []) {
        if (outgoing.state === 'failed') Object.assign(outgoing, { state: 'sending', error: null });
      }
    },
    outgoingDropped: (
      state,
      { payload: { id, clientId } }: PayloadAction<{ id: number; clientId: string }>,
    ) => {
      const thread = find(state, id);
      if (thread) thread.outgoing = thread.outgoing.filter((outgoing) => outgoing.clientId !== clientId);
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(messageReceived, (state, { payload: { senderId: _, receiverId: __, ...message } }) => {
        const thread = find(state, message.conversationId);
        if (thread) append(thread, message);
      })
      .addCase(messageDeleted, (state, { payload: { conversationId, messageId } }) => {
        const thread = find(state, conversationId);
        if (thread) markDeleted(thread, messageId);
      })
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectOpenId: (state) => state.openId,
    selectThread: find,
    /** The person's own messages that are not known to be saved. */
    selectUnsent: (state): UnsentMessage[] =>
      Object.values(state.entities).flatMap(({ id: conversationId, outgoing }) =>
        outgoing
          .filter((message) => message.state !== 'sent')
          .map(({ clientId, text, createdAt }) => ({ conversationId, clientId, text, createdAt })),
      ),
    /** The conversations whose oldest failed message is to be retried. */
    selectRetryable: (state, now: number): number[] =>
      Object.values(state.entities).flatMap(({ id, outgoing }) => {
        const first = outgoing.find((message) => message.state === 'failed');
        return first && isRetriedLater(first, now) ? [id] : [];
      }),
  },
}).injectInto(reducer);

export const {
  threadOpened,
  threadClosed,
  threadRestarted,
  newestReceived,
  newestFailed,
  missedReceived,
  olderRequested,
  olderReceived,
  olderFailed,
  messageSubmitted,
  messageSaved,
  sendFailed,
  unsentRestored,
  retryRequested,
  outgoingDropped,
} = threadsSlice.actions;
export const { selectOpenId, selectThread, selectUnsent, selectRetryable } = threadsSlice.selectors;

/** The part of the state that these selectors read. */
export type ThreadsState = Parameters<typeof threadsSlice.selectSlice>[0];

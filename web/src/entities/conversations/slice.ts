import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { Conversation } from '@wayquest/contracts';
import {
  idle,
  notRefreshed,
  type RequestStatus,
  ready,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { sessionOver } from '../auth/slice.ts';
import { messageArrived, readHeard } from '../realtime/events.ts';

interface ConversationsState extends EntityState<Conversation, number> {
  list: RequestStatus;
  /** Whose unread messages were counted here; the server is asked for their number soon. */
  unsure: number[];
  /** The friend whose conversation is being asked for. */
  opening: number | null;
}

const conversations = createEntityAdapter<Conversation>();
const { selectAll, selectById } = conversations.getSelectors();

const initialState: ConversationsState = conversations.getInitialState({
  list: idle,
  unsure: [],
  opening: null,
});

const later = (one: number | null, other: number | null) => Math.max(one ?? 0, other ?? 0) || null;

/** An answer can be older than what is known here; how far somebody has read never goes back. */
function fresher(known: Conversation | undefined, found: Conversation): Conversation {
  if (!known) return found;
  const readMore = (known.readId ?? 0) > (found.readId ?? 0);
  return {
    ...found,
    readId: later(known.readId, found.readId),
    unread: readMore ? known.unread : found.unread,
  };
}

export const conversationsSlice = createSlice({
  name: 'conversations',
  initialState,
  reducers: {
    conversationsRequested: (state) => {
      // Not when the answer is here: it may be older than what was counted meanwhile.
      state.unsure = [];
      state.list = refreshing(state.list);
    },
    conversationsReceived: (state, { payload }: PayloadAction<Conversation[]>) => {
      conversations.setAll(
        state,
        payload.map((found) => fresher(state.entities[found.id], found)),
      );
      state.list = ready;
    },
    conversationsFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = notRefreshed(state.list, payload);
    },
    conversationAsked: (state, { payload: friendId }: PayloadAction<number>) => {
      state.opening = friendId;
    },
    conversationFailed: (state) => {
      state.opening = null;
    },
    conversationReceived: (state, { payload }: PayloadAction<Conversation>) => {
      conversations.setOne(state, fresher(state.entities[payload.id], payload));
      state.unsure = state.unsure.filter((id) => id !== payload.id);
      state.opening = null;
    },
    messagesSeen: (state, { payload }: PayloadAction<{ conversationId: number; messageId: number }>) => {
      const conversation = state.entities[payload.conversationId];
      if (!conversation) return;
      conversation.readId = later(conversation.readId, payload.messageId);
      conversation.unread = 0;
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(messageArrived, (state, { payload: { conversationId, senderId, id } }) => {
        const conversation = state.entities[conversationId];
        if (conversation && senderId !== conversation.user.id) return;
        if (conversation && id <= (conversation.readId ?? 0)) return;
        if (conversation) conversation.unread += 1;
        state.unsure.push(conversationId);
      })
      .addCase(readHeard, (state, { payload: { conversationId, userId, messageId } }) => {
        const conversation = state.entities[conversationId];
        if (!conversation) return;
        if (userId === conversation.user.id) {
          conversation.otherReadId = later(conversation.otherReadId, messageId);
        } else if (messageId > (conversation.readId ?? 0)) {
          conversation.readId = messageId;
          conversation.unread = 0;
          state.unsure.push(conversationId);
        }
      })
      .addMatcher(sessionOver, () => initialState);
  },
  selectors: {
    selectConversations: selectAll,
    selectConversation: selectById,
    selectConversationsState: (state) => state.list.state,
    selectConversationsError: (state) => state.list.error,
    selectUnsure: (state) => state.unsure,
    selectOpening: (state) => state.opening,
    /** All unread messages, for the navigation. */
    selectUnread: (state) => selectAll(state).reduce((sum, { unread }) => sum + unread, 0),
  },
});

export const {
  conversationsRequested,
  conversationsReceived,
  conversationsFailed,
  conversationAsked,
  conversationFailed,
  conversationReceived,
  messagesSeen,
} = conversationsSlice.actions;
export const {
  selectConversations,
  selectConversation,
  selectConversationsState,
  selectConversationsError,
  selectUnsure,
  selectOpening,
  selectUnread,
} = conversationsSlice.selectors;

import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { Conversation } from '@wayquest/contracts';
import {
  idle,
  type RequestStatus,
  ready,
  refreshFailed,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { isSessionEnd } from '../auth/slice.ts';
import { friendRequestChanged, messageDeleted, messageReceived, readReceived } from '../realtime/events.ts';

interface ConversationsState extends EntityState<Conversation, number> {
  list: RequestStatus;
  /** Conversations with missed messages, to be reloaded soon. */
  staleIds: number[];
  /** The friend whose conversation is being loaded. */
  opening: number | null;
}

const writtenAt = ({ last }: Conversation) => (last ? Date.parse(last.createdAt) : 0);
const isUnread = ({ unread }: Conversation) => Number(unread > 0);

/** Those with unread messages first, then by the newest message. */
const conversations = createEntityAdapter<Conversation>({
  sortComparer: (one, other) =>
    isUnread(other) - isUnread(one) || writtenAt(other) - writtenAt(one) || other.id - one.id,
});
const { selectAll, selectById } = conversations.getSelectors();

const initialState: ConversationsState = conversations.getInitialState({
  list: idle,
  staleIds: [],
  opening: null,
});

const maxId = (one: number | null, other: number | null) => Math.max(one ?? 0, other ?? 0) || null;

const lastId = ({ last }: Conversation) => last?.id ?? 0;

/** Merges a response into the state, since it may be older; read positions never go back. */
function mergeNewer(known: Conversation | undefined, found: Conversation): Conversation {
  if (!known) return found;
  const isNewer = lastId(known) > lastId(found);
  const isDeleted = known.last?.deleted && lastId(known) === lastId(found);
  const isReadFurther = (known.readId ?? 0) > (found.readId ?? 0);
  return {
    ...found,
    last: isNewer || isDeleted ? known.last : found.last,
    readId: maxId(known.readId, found.readId),
    otherReadId: maxId(known.otherReadId, found.otherReadId),
    unread: isNewer || isReadFurther ? known.unread : found.unread,
  };
}

/** Maximum length of a message in the list, as the server truncates it. */
const preview = 100;

export const conversationsSlice = createSlice({
  name: 'conversations',
  initialState,
  reducers: {
    conversationsRequested: (state) => {
      // Cleared now instead of with the response, which may be older than messages that arrive meanwhile.
      state.staleIds = [];
      state.list = refreshing(state.list);
    },
    conversationsReceived: (state, { payload }: PayloadAction<Conversation[]>) => {
      conversations.setAll(
        state,
        payload.map((found) => mergeNewer(state.entities[found.id], found)),
      );
      state.list = ready;
    },
    conversationsFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = refreshFailed(state.list, payload);
    },
    conversationRequested: (state, { payload: friendId }: PayloadAction<number>) => {
      state.opening = friendId;
    },
    conversationFailed: (state) => {
      state.opening = null;
    },
    conversationReceived: (state, { payload }: PayloadAction<Conversation>) => {
      conversations.setOne(state, mergeNewer(state.entities[payload.id], payload));
      state.staleIds = state.staleIds.filter((id) => id !== payload.id);
      state.opening = null;
    },
    messagesSeen: (state, { payload }: PayloadAction<{ conversationId: number; messageId: number }>) => {
      const conversation = state.entities[payload.conversationId];
      if (!conversation) return;
      const readId = maxId(conversation.readId, payload.messageId);
      conversations.updateOne(state, { id: conversation.id, changes: { readId, unread: 0 } });
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(messageReceived, (state, { payload: { conversationId, senderId, id, text, createdAt } }) => {
        const conversation = state.entities[conversationId];
        if (!conversation) {
          state.staleIds.push(conversationId);
          return;
        }
        const known = lastId(conversation);
        // Events are delivered at least once.
        if (id <= known) return;
        if (known && id > known + 1) state.staleIds.push(conversationId);
        const isNewMessage = senderId === conversation.user.id && id > (conversation.readId ?? 0);
        const last = { id, sender: senderId, text: text.slice(0, preview), createdAt };
        const unread = conversation.unread + Number(isNewMessage);
        conversations.updateOne(state, { id: conversationId, changes: { last, unread } });
      })
      .addCase(messageDeleted, (state, { payload: { conversationId, messageId } }) => {
        const conversation = state.entities[conversationId];
        if (!conversation) return;
        const { last, unread, readId } = conversation;
        if (last?.id === messageId) Object.assign(last, { text: '', deleted: true });
        // It may have counted as unread: the event does not say whose it was.
        if (unread > 0 && messageId > (readId ?? 0)) state.staleIds.push(conversationId);
      })
      .addCase(friendRequestChanged, (state, { payload: { userIds, status } }) => {
        const conversation = selectAll(state).find(({ user }) => userIds.includes(user.id));
        const can = { message: status === 'accepted' };
        if (conversation) conversations.updateOne(state, { id: conversation.id, changes: { can } });
      })
      .addCase(readReceived, (state, { payload: { conversationId, userId, messageId } }) => {
        const conversation = state.entities[conversationId];
        if (!conversation) return;
        if (userId === conversation.user.id) {
          conversation.otherReadId = maxId(conversation.otherReadId, messageId);
        } else if (messageId > (conversation.readId ?? 0)) {
          conversations.updateOne(state, {
            id: conversationId,
            changes: { readId: messageId, unread: 0 },
          });
          if (messageId < lastId(conversation)) state.staleIds.push(conversationId);
        }
      })
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectConversations: selectAll,
    selectConversation: selectById,
    selectConversationsState: (state) => state.list.state,
    selectConversationsError: (state) => state.list.error,
    selectStaleIds: (state) => state.staleIds,
    selectOpening: (state) => state.opening,
    /** The number of all unread messages, for the navigation. */
    selectUnreadMessages: (state) => selectAll(state).reduce((sum, { unread }) => sum + unread, 0),
  },
}).injectInto(reducer);

export const {
  conversationsRequested,
  conversationsReceived,
  conversationsFailed,
  conversationRequested,
  conversationFailed,
  conversationReceived,
  messagesSeen,
} = conversationsSlice.actions;
export const {
  selectConversations,
  selectConversation,
  selectConversationsState,
  selectConversationsError,
  selectStaleIds,
  selectOpening,
  selectUnreadMessages,
} = conversationsSlice.selectors;

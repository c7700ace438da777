import type { UnknownAction } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import type { PositionResult } from '../lib/device-position.ts';
import type { FormDrafts } from '../lib/form-drafts.ts';
import type { Navigator } from '../lib/navigator.ts';
import type { TokenStore } from '../lib/tokens.ts';
import type { UnsentItems } from '../lib/unsent-items.ts';

/** Events that this client sends. */
export type ClientEvent =
  | { name: 'addUser'; data: number }
  | { name: 'sendMessage'; data: { senderId: number; receiverId: number; text: string } }
  | { name: 'typing'; data: { receiverId: number } }
  | { name: 'watchLeaderboard'; data: boolean }
  | { name: 'watchChallenge'; data: number | null };

/** A connection that reconnects automatically. */
export interface LiveSocket {
  emit(event: ClientEvent): void;
  close(): void;
}

/** Opens a connection for the token's owner; its events are passed on as actions. */
export type OpenSocket = (token: () => string | null, emit: (action: UnknownAction) => void) => LiveSocket;

/** The dependencies of sagas. */
export interface Deps {
  api: () => Promise<Client>;
  /** Loads the socket's code, which only members need. */
  socket: () => Promise<OpenSocket>;
  tokens: TokenStore;
  formDrafts: FormDrafts;
  unsentItems: UnsentItems;
  navigator: Navigator;
  /** The device's position. The browser may ask the person, so only call it after they pressed a button. */
  devicePosition: () => Promise<PositionResult>;
  /** Asks the server what time it is, for ages that are sent; false without a response. */
  askServerTime: () => Promise<boolean>;
}

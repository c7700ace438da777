import type { UnknownAction } from '@reduxjs/toolkit';
import type { Client, DevicePosition } from '@wayquest/contracts';
import type { FormDrafts } from '../lib/form-drafts.ts';
import type { Navigator } from '../lib/navigator.ts';
import type { DraftStore, PendingCompletions, UnsentStore } from '../lib/stored-lists.ts';
import type { TokenStore } from '../lib/tokens.ts';

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
  drafts: DraftStore;
  formDrafts: FormDrafts;
  unsent: UnsentStore;
  pendingCompletions: PendingCompletions;
  navigator: Navigator;
  /**
   * The device's position, if available. The browser may ask the person, so only call it after they pressed a button.
   */
  devicePosition: () => Promise<DevicePosition | undefined>;
}

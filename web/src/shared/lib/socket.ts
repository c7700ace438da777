import type { UnknownAction } from '@reduxjs/toolkit';

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

import type { UnknownAction } from '@reduxjs/toolkit';

/** What this client says over the socket. */
export type ClientEvent =
  | { name: 'addUser'; data: number }
  | { name: 'sendMessage'; data: { senderId: number; receiverId: number; text: string } }
  | { name: 'typing'; data: { receiverId: number } }
  | { name: 'watchLeaderboard'; data: boolean }
  | { name: 'watchChallenge'; data: number | null };

/** A live connection, which comes back by itself when it is lost. */
export interface LiveSocket {
  emit(event: ClientEvent): void;
  close(): void;
}

/** Opens a connection for the token's owner; its messages are emitted as actions. */
export type OpenSocket = (token: () => string | null, tell: (heard: UnknownAction) => void) => LiveSocket;

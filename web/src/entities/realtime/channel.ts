import type { UnknownAction } from '@reduxjs/toolkit';
import { buffers, eventChannel } from 'redux-saga';
import type { ClientEvent, LiveSocket, OpenSocket } from '../../shared/lib/socket.ts';

/** The socket as a channel of its messages; closing the channel closes the socket. */
export function socketChannel(open: OpenSocket, token: () => string | null) {
  let socket: LiveSocket | undefined;
  const channel = eventChannel<UnknownAction>((emitAction) => {
    const opened = open(token, emitAction);
    socket = opened;
    return () => opened.close();
  }, buffers.expanding());
  return { channel, emit: (event: ClientEvent) => socket?.emit(event) };
}

import {
  type ClientToServerEvents,
  type Message,
  messagesPerPage,
  type ServerToClientEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import type { Person } from './people.ts';
import type { MessageStats } from './tally.ts';

/** A tab of the web app with a conversation. */
export interface Tab {
  conversationId: number;
  held: Map<number, Message>;
  close(): void;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a tab; resolves when it is connected for the first time. */
export async function openTab(
  { url }: { url: string },
  { token, client }: Pick<Person, 'token' | 'client'>,
  conversationId: number,
  tally: MessageStats,
): Promise<Tab> {
  const held = new Map<number, Message>();
  /**
   * The id up to which no message is missing: ids are consecutive, and messages that arrive after a gap do not count.
   */
  let complete = 0;
  let closed = false;

  const record = (message: Message): boolean => {
    if (held.has(message.id)) return false;
    held.set(message.id, message);
    return true;
  };
  const advance = () => {
    while (held.has(complete + 1)) complete++;
  };

  let disconnectedAt: number | undefined;
  let isCatchingUp = false;
  let shouldRepeat = false;
  const loadMissed = async () => {
    for (;;) {
      const missed = await client.listMessages({
        params: { conversationId },
        query: { after: complete || 1 },
      });
      for (const message of missed) if (record(message)) tally.recovered();
      const last = missed.at(-1);
      if (last) complete = Math.max(complete, last.id);
      advance();
      if (missed.length < messagesPerPage) return;
    }
  };
  const catchUp = async () => {
    shouldRepeat = true;
    if (isCatchingUp) return;
    isCatchingUp = true;
    while (shouldRepeat && !closed) {
      shouldRepeat = false;
      try {
        await loadMissed();
        if (disconnectedAt !== undefined && socket.connected) {
          tally.caughtUp(performance.now() - disconnectedAt);
          disconnectedAt = undefined;
        }
      } catch {
        shouldRepeat = true;
        await pause(1_000);
      }
    }
    isCatchingUp = false;
  };

  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(url, {
    ...socketClientOptions,
    auth: { token },
    forceNew: true,
  });
  socket.on('connect', catchUp);
  socket.on('resync', catchUp);
  socket.on('getMessage', (message) => {
    if (message.conversationId !== conversationId) return;
    if (record(message)) tally.live(message);
    else tally.again();
    if (complete) advance();
  });
  socket.on('disconnect', () => {
    disconnectedAt ??= performance.now();
    tally.dropped();
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    conversationId,
    held,
    close() {
      closed = true;
      socket.disconnect();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { Acknowledgement, type ClientEventName, clientEvents } from '@wayquest/contracts';
import { Problem, problemOf, toContract } from '@wayquest/platform/core';
import { type TokenGuard, tokenOf } from '@wayquest/platform/http';
import type { RateLimiter } from '@wayquest/platform/redis';
import { type Logger, logSecurityEvent, requestContext } from '@wayquest/platform/telemetry';
import type { ExtendedError } from 'socket.io';
import type { z } from 'zod';
import { createOnlooker } from './challenge-subscriptions.ts';
import type { Nodes } from './cluster-bus.ts';
import { leaderboardRoom } from './leaderboard.ts';
import { realtimeMetrics } from './metrics.ts';
import type { OnlineLists } from './online-lists.ts';
import type { Attendance } from './presence-tracker.ts';
import { type ClientSocket, localTabs, presentEvent, type SocketServer, userRoom } from './socket-server.ts';

export interface SocketDeps {
  io: SocketServer;
  guard: TokenGuard;
  nodes: Nodes;
  lists: OnlineLists;
  attendance: Attendance;
  limiter: RateLimiter;
  logger: Logger;
}

/** More tabs than anyone has. */
const maxTabs = 50;

type Data<N extends ClientEventName> = z.output<(typeof clientEvents)[N]>;

function parse<N extends ClientEventName>(name: N, data: unknown): Data<N> {
  const result = clientEvents[name].safeParse(data);
  if (result.success) return result.data as Data<N>;
  const errors = result.error.issues.map(({ path, message }) => ({
    field: path.join('.') || name,
    reason: message.replace(/^Invalid input: /, 'is wrong: '),
  }));
  throw new Problem('invalid-request', { errors });
}

/** A handshake's refusal, which the client sees as `connect_error` with the problem as its `data`. */
function refusal(error: unknown): ExtendedError {
  const problem = problemOf(error);
  return Object.assign(new Error(problem.message), { data: problem.toDetails() });
}

/** Lets people in by their token and answers what their clients send. */
export function serveSockets({ io, guard, nodes, lists, attendance, limiter, logger }: SocketDeps): void {
  /** Before its client asks for what it may have missed: else something could be told between the two. */
  const hear = async (socket: ClientSocket, userId: number): Promise<void> => {
    const { inTime, heard, end } = nodes.hear('person', userId);
    if (socket.conn.readyState === 'closed') end();
    else socket.conn.once('close', end);
    if (await inTime) return;
    void heard.then(() => socket.emit('resync', presentEvent('resync', {})));
  };

  io.use(async (socket, next) => {
    try {
      const given: unknown = socket.handshake.auth.token;
      const token = typeof given === 'string' ? tokenOf(given) : undefined;
      if (token === undefined) throw new Problem('unauthenticated');
      const caller = await guard.verify(token);
      if (localTabs(io, caller.id) >= maxTabs) throw new Problem('too-many-requests');
      socket.data.caller = caller;
      await hear(socket, caller.id);
      next();
    } catch (error) {
      realtimeMetrics.rejectedSockets.inc();
      next(refusal(error));
    }
  });

  /** Answers one event, a call of its own: counted, checked, done, acknowledged. */
  const answer = <N extends ClientEventName>(
    ...given: Parameters<typeof answerInContext<N>>
  ): Promise<void> => requestContext.run({ requestId: randomUUID() }, () => answerInContext(...given));

  const answerInContext = async <N extends ClientEventName>(
    userId: number,
    name: N,
    data: unknown,
    acknowledge: unknown,
    act: (data: Data<N>) => void | Promise<void>,
  ): Promise<void> => {
    const started = performance.now();
    const reply = (given: Acknowledgement) => {
      if (typeof acknowledge === 'function') acknowledge(toContract(Acknowledgement, given));
      const ms = Math.round(performance.now() - started);
      logger.info({ operation: name, status: given.ok ? 200 : given.problem.status, ms }, 'call');
    };
    try {
      await limiter.count(String(userId));
      await act(parse(name, data));
      reply({ ok: true });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) logger.error({ err: error, event: name }, 'a socket event failed');
      if (problem.status === 429)
        logSecurityEvent(logger, { event: 'refused-by-limit', service: 'realtime', userId, operation: name });
      reply({ ok: false, problem: problem.toDetails() });
    }
  };

  const serve = (socket: ClientSocket): void => {
    const { id: me } = socket.data.caller;
    const watch = createOnlooker(socket, nodes);
    socket.on('addUser', (data, acknowledge) =>
      answer(me, 'addUser', data, acknowledge, (userId) => {
        if (userId !== me) throw new Problem('forbidden');
        socket.emit('getUsers', lists.shown(me));
      }),
    );
    socket.on('sendMessage', (data, acknowledge) =>
      answer(me, 'sendMessage', data, acknowledge, ({ senderId, receiverId }) => {
        if (senderId !== me) throw new Problem('forbidden');
        if (!lists.areFriends(me, receiverId)) throw new Problem('not-friends');
      }),
    );
    socket.on('typing', (data, acknowledge) =>
      answer(me, 'typing', data, acknowledge, async ({ receiverId }) => {
        if (!lists.areFriends(me, receiverId)) throw new Problem('not-friends');
        await nodes.deliver({ userIds: [receiverId], name: 'typing', data: { senderId: me } });
      }),
    );
    socket.on('watchLeaderboard', (data, acknowledge) =>
      answer(me, 'watchLeaderboard', data, acknowledge, (watches) =>
        watches ? socket.join(leaderboardRoom) : socket.leave(leaderboardRoom),
      ),
    );
    socket.on('watchChallenge', (data, acknowledge) =>
      answer(me, 'watchChallenge', data, acknowledge, watch),
    );
  };

  io.on('connection', async (socket) => {
    const { id: userId } = socket.data.caller;
    realtimeMetrics.sockets.inc();
    socket.once('disconnect', () => {
      realtimeMetrics.sockets.dec();
      attendance.left(userId);
    });
    await socket.join(userRoom(userId));
    const known = attendance.arrived(userId);
    serve(socket);
    await known;
    socket.emit('getUsers', lists.shown(userId));
  });
}

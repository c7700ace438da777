import { randomUUID } from 'node:crypto';
import {
  Acknowledgement,
  type ClientEventName,
  clientEvents,
  type ServerEventData,
} from '@wayquest/contracts';
import { limits, Problem, problemOf, toContract } from '@wayquest/platform/core';
import { type TokenGuard, tokenOf } from '@wayquest/platform/http';
import type { RateLimiter } from '@wayquest/platform/redis';
import { type Logger, logSecurityEvent, requestContext } from '@wayquest/platform/telemetry';
import type { ExtendedError } from 'socket.io';
import type { z } from 'zod';
import type { ClusterBus, Subscription } from './cluster-bus.ts';
import { leaderboardRoom } from './leaderboard.ts';
import { realtimeMetrics } from './metrics.ts';
import type { OnlineLists } from './online-lists.ts';
import type { PresenceTracker } from './presence-tracker.ts';
import { type ClientSocket, presentEvent, type SocketServer, userRoom } from './socket-server.ts';

const roomOf = (challengeId: number): string => `challenge:${challengeId}`;

/** Returns a function by which a tab subscribes to the challenge that it shows: one at a time, or none (`null`). */
function subscribeToChallenges(socket: ClientSocket, cluster: ClusterBus) {
  let current: { room: string; subscription: Subscription } | undefined;
  const subscribe = async (challengeId: number | null): Promise<void> => {
    const previous = current;
    // Replaced before anything is awaited: the tab may send the next one meanwhile, and the last one counts.
    current =
      challengeId === null || !socket.connected
        ? undefined
        : { room: roomOf(challengeId), subscription: cluster.subscribe('challenge', challengeId) };
    previous?.subscription.unsubscribe();
    if (previous && previous.room !== current?.room) void socket.leave(previous.room);
    if (current) await Promise.all([socket.join(current.room), current.subscription.isSubscribedInTime]);
  };
  socket.once('disconnect', () => subscribe(null));
  return subscribe;
}

/** Notifies this node's subscribers of a challenge that it was changed or deleted. */
export function notifySubscribers(
  io: SocketServer,
  { challengeId, deleted }: ServerEventData<'challenge'>,
): void {
  const change = presentEvent('challenge', { challengeId, deleted });
  io.local.to(roomOf(challengeId)).emit('challenge', change);
}

export interface SocketDeps {
  io: SocketServer;
  guard: TokenGuard;
  cluster: ClusterBus;
  lists: OnlineLists;
  presenceTracker: PresenceTracker;
  limiter: RateLimiter;
  logger: Logger;
}

/** Maximum tabs of a person on a node. */
const maxTabs = limits.tabs.max;

/**
 * The room of all tabs of a person, including those whose handshake is not complete, which count too. Socket.IO leaves it when
 * the handshake fails or the tab disconnects.
 */
const slotsOf = (userId: number): string => `slots:${userId}`;

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

/** Rejection of a handshake, which the client sees as `connect_error` with the problem as its `data`. */
function rejection(error: unknown): ExtendedError {
  const problem = problemOf(error);
  return Object.assign(new Error(problem.message), { data: problem.toDetails() });
}

/** Authenticates sockets by their token, and handles the events that their clients send. */
export function serveSockets({
  io,
  guard,
  cluster,
  lists,
  presenceTracker,
  limiter,
  logger,
}: SocketDeps): void {
  /** Subscribes before the client asks for what it missed, or an event in between would be lost. */
  const subscribe = async (socket: ClientSocket, userId: number): Promise<void> => {
    const { isSubscribedInTime, subscribed, unsubscribe } = cluster.subscribe('person', userId);
    if (socket.conn.readyState === 'closed') unsubscribe();
    else socket.conn.once('close', unsubscribe);
    if (await isSubscribedInTime) return;
    void subscribed.then(() => socket.emit('resync', presentEvent('resync', {})));
  };

  io.use(async (socket, next) => {
    try {
      const authorization: unknown = socket.handshake.auth.token;
      const token = typeof authorization === 'string' ? tokenOf(authorization) : undefined;
      if (token === undefined) throw new Problem('unauthenticated');
      const caller = await guard.verify(token);
      const slots = slotsOf(caller.id);
      if ((io.sockets.adapter.rooms.get(slots)?.size ?? 0) >= maxTabs) throw new Problem('too-many-requests');
      await socket.join(slots);
      socket.data.caller = caller;
      await subscribe(socket, caller.id);
      next();
    } catch (error) {
      realtimeMetrics.rejectedSockets.inc();
      next(rejection(error));
    }
  });

  /** Handles one event like a call: counted, validated, executed, acknowledged. */
  const handle = <N extends ClientEventName>(...args: Parameters<typeof handleInContext<N>>): Promise<void> =>
    requestContext.run({ requestId: randomUUID() }, () => handleInContext(...args));

  const handleInContext = async <N extends ClientEventName>(
    userId: number,
    name: N,
    data: unknown,
    acknowledge: unknown,
    execute: (data: Data<N>) => void | Promise<void>,
  ): Promise<void> => {
    const started = performance.now();
    const reply = (result: Acknowledgement) => {
      if (typeof acknowledge === 'function') acknowledge(toContract(Acknowledgement, result));
      const ms = Math.round(performance.now() - started);
      logger.info({ operation: name, status: result.ok ? 200 : result.problem.status, ms }, 'call');
    };
    try {
      await limiter.count(String(userId));
      await execute(parse(name, data));
      reply({ ok: true });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) logger.error({ err: error, event: name }, 'a socket event failed');
      if (problem.status === 429)
        logSecurityEvent(logger, { event: 'rate-limited', service: 'realtime', userId, operation: name });
      reply({ ok: false, problem: problem.toDetails() });
    }
  };

  const serve = (socket: ClientSocket): void => {
    const { id: me } = socket.data.caller;
    const subscribe = subscribeToChallenges(socket, cluster);
    socket.on('addUser', (data, acknowledge) =>
      handle(me, 'addUser', data, acknowledge, (userId) => {
        if (userId !== me) throw new Problem('forbidden');
        socket.emit('getUsers', lists.payload(me));
      }),
    );
    socket.on('sendMessage', (data, acknowledge) =>
      handle(me, 'sendMessage', data, acknowledge, async ({ senderId, receiverId }) => {
        if (senderId !== me) throw new Problem('forbidden');
        if (!(await lists.areFriends(me, receiverId))) throw new Problem('not-friends');
      }),
    );
    socket.on('typing', (data, acknowledge) =>
      handle(me, 'typing', data, acknowledge, async ({ receiverId }) => {
        if (!(await lists.areFriends(me, receiverId))) throw new Problem('not-friends');
        await cluster.deliver({ userIds: [receiverId], name: 'typing', data: { senderId: me } });
      }),
    );
    socket.on('watchLeaderboard', (data, acknowledge) =>
      handle(me, 'watchLeaderboard', data, acknowledge, (isSubscribed) =>
        isSubscribed ? socket.join(leaderboardRoom) : socket.leave(leaderboardRoom),
      ),
    );
    socket.on('watchChallenge', (data, acknowledge) =>
      handle(me, 'watchChallenge', data, acknowledge, subscribe),
    );
  };

  io.on('connection', async (socket) => {
    const { id: userId } = socket.data.caller;
    realtimeMetrics.sockets.inc();
    socket.once('disconnect', () => {
      realtimeMetrics.sockets.dec();
      presenceTracker.onDisconnect(userId);
    });
    await socket.join(userRoom(userId));
    const listLoaded = presenceTracker.onConnect(userId);
    serve(socket);
    await listLoaded;
    socket.emit('getUsers', lists.payload(userId));
  });
}

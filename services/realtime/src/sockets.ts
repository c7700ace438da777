import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Acknowledgement, type ClientEventName, clientEvents } from '@wayquest/contracts';
import { limits, Problem, problemOf, toContract } from '@wayquest/platform/core';
import type { RateLimiter } from '@wayquest/platform/redis';
import { type Logger, logSecurityEvent, requestContext } from '@wayquest/platform/telemetry';
import { type TokenGuard, tokenOf } from '@wayquest/platform/tokens';
import type { ExtendedError } from 'socket.io';
import type { z } from 'zod';
import type { ClusterBus } from './cluster-bus.ts';
import { realtimeMetrics } from './metrics.ts';
import type { OnlineLists } from './online-lists.ts';
import type { PresenceTracker } from './presence-tracker.ts';
import { challengeRoom, isChallengeRoom, leaderboardRoom, userRoom } from './rooms.ts';
import { type ClientSocket, presentEvent, type SocketServer } from './socket-server.ts';

/** How long a handshake or an acknowledgement waits for a subscription. */
const subscribeTimeoutMs = 1_000;

export interface SocketDeps {
  io: SocketServer;
  guard: Pick<TokenGuard, 'verify'>;
  cluster: Pick<ClusterBus, 'deliver' | 'subscribed'>;
  lists: Pick<OnlineLists, 'payload' | 'areFriends'>;
  presenceTracker: Pick<PresenceTracker, 'onConnect' | 'onDisconnect'>;
  limiter: Pick<RateLimiter, 'count'>;
  logger: Logger;
}

/** Joins a room, unless the tab has disconnected meanwhile: nothing would leave the room. */
async function join(socket: ClientSocket, room: string): Promise<void> {
  if (socket.connected) await socket.join(room);
}

/** Maximum tabs of a person on a node. */
const maxTabs = limits.tabs.max;

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
  /** Resolves to whether this node is subscribed to the rooms of its sockets; to false if Redis takes long. */
  const isSubscribedInTime = (subscribed: Promise<void>): Promise<boolean> =>
    Promise.race([subscribed.then(() => true), setTimeout(subscribeTimeoutMs, false, { ref: false })]);

  /** Joins before the client asks for what it missed, or an event in between would be lost. */
  const joinOwnRoom = async (socket: ClientSocket, userId: number): Promise<void> => {
    await socket.join(userRoom(userId));
    const subscribed = cluster.subscribed();
    if (await isSubscribedInTime(subscribed)) return;
    void subscribed.then(() => socket.emit('resync', presentEvent('resync', {})));
  };

  /** Subscribes a tab to the challenge that it shows: one at a time, or none (`null`). */
  const watchChallenge = async (socket: ClientSocket, challengeId: number | null): Promise<void> => {
    const next = challengeId === null ? undefined : challengeRoom(challengeId);
    const previous = [...socket.rooms].filter((room) => isChallengeRoom(room) && room !== next);
    // At once: the tab may send the next one while something is awaited, and the last one counts.
    await Promise.all([...previous.map((room) => socket.leave(room)), next && join(socket, next)]);
    if (next) await isSubscribedInTime(cluster.subscribed());
  };

  io.use(async (socket, next) => {
    try {
      const authorization: unknown = socket.handshake.auth.token;
      const token = typeof authorization === 'string' ? tokenOf(authorization) : undefined;
      if (token === undefined) throw new Problem('unauthenticated');
      const caller = await guard.verify(token);
      // Tabs whose handshake is not complete count, too. Socket.IO leaves the room when it fails.
      const tabs = io.sockets.adapter.rooms.get(userRoom(caller.id))?.size ?? 0;
      if (tabs >= maxTabs) throw new Problem('too-many-requests');
      socket.data.caller = caller;
      await joinOwnRoom(socket, caller.id);
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
        await cluster.deliver({ rooms: [userRoom(receiverId)], name: 'typing', data: { senderId: me } });
      }),
    );
    socket.on('watchLeaderboard', (data, acknowledge) =>
      handle(me, 'watchLeaderboard', data, acknowledge, (isSubscribed) =>
        isSubscribed ? join(socket, leaderboardRoom) : socket.leave(leaderboardRoom),
      ),
    );
    socket.on('watchChallenge', (data, acknowledge) =>
      handle(me, 'watchChallenge', data, acknowledge, (challengeId) => watchChallenge(socket, challengeId)),
    );
  };

  io.on('connection', async (socket) => {
    const { id: userId } = socket.data.caller;
    realtimeMetrics.sockets.inc();
    socket.once('disconnect', () => {
      realtimeMetrics.sockets.dec();
      presenceTracker.onDisconnect(userId);
    });
    const listLoaded = presenceTracker.onConnect(userId);
    serve(socket);
    await listLoaded;
    socket.emit('getUsers', lists.payload(userId));
  });
}

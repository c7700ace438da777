import { monitorEventLoopDelay } from 'node:perf_hooks';
import express from 'express';
import jwt from 'jsonwebtoken';
import mongoose, { Schema } from 'mongoose';
import { Server } from 'socket.io';
import { startWayquest } from './wayquest.ts';

/**
 * A simple chat for comparison, with Express, mongoose and Socket.IO. A message is saved before the response, and before it
 * is sent to both users. Authenticates callers and checks that the conversation is theirs; ids are those of the store.
 */
async function startPeer(mongoUrl: string, database: string, secret: string) {
  const connection = await mongoose.createConnection(mongoUrl, { dbName: database }).asPromise();
  const Conversations = connection.model(
    'Conversation',
    new Schema({ members: { type: [Number], index: true } }),
  );
  const Messages = connection.model(
    'Message',
    new Schema(
      { conversationId: { type: Schema.Types.ObjectId, index: true }, sender: Number, text: String },
      { timestamps: true },
    ),
  );
  await Promise.all([Conversations.init(), Messages.init()]);

  const app = express();
  app.use(express.json());
  app.use((request, response, next) => {
    try {
      const claims = jwt.verify(request.headers.authorization ?? '', secret);
      response.locals.userId = Number(claims.sub);
      next();
    } catch {
      response.sendStatus(401);
    }
  });
  app.post('/api/conversations', async (request, response) => {
    const members = [response.locals.userId, request.body.friend.id];
    response.status(201).json(await Conversations.create({ members }));
  });
  app.get('/api/conversations/:userId', async (_request, response) => {
    const conversations = await Conversations.find({ members: response.locals.userId }).lean();
    const shown = conversations.map(async (conversation) => ({
      ...conversation,
      last: await Messages.findOne({ conversationId: conversation._id }).sort({ _id: -1 }).lean(),
    }));
    response.json(await Promise.all(shown));
  });
  app.post('/api/messages', async (request, response) => {
    const { conversationId, text } = request.body;
    const conversation = await Conversations.findById(conversationId).lean();
    if (!conversation?.members.includes(response.locals.userId)) return void response.sendStatus(403);
    const message = await Messages.create({ conversationId, sender: response.locals.userId, text });
    for (const member of conversation.members) io.to(String(member)).emit('getMessage', message);
    response.status(201).json(message);
  });
  const server = app.listen(0, '127.0.0.1');
  const io = new Server(server);
  io.use((socket, next) => {
    try {
      const claims = jwt.verify(socket.handshake.auth.token, secret);
      socket.join(String(claims.sub));
      next();
    } catch {
      next(new Error('unauthenticated'));
    }
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

/** One of the compared programs, in its own process: reports its URL, and its resource usage on request. */
const [which, mongoUrl = '', database = '', secret = ''] = process.argv.slice(2);

async function start(): Promise<string> {
  if (which === 'wayquest') return (await startWayquest(mongoUrl, 0)).url;
  const address = (await startPeer(mongoUrl, database, secret)).address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return `http://127.0.0.1:${address.port}`;
}

const url = await start();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const lagMs = delay.max / 1e6;
  globalThis.gc?.();
  delay.reset();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, heapKiB: heapUsed / 1_024, rssKiB: rss / 1_024, lagMs });
});
process.send?.({ url });
process.on('disconnect', () => process.exit());

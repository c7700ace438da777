import express from 'express';
import jwt from 'jsonwebtoken';
import mongoose, { Schema } from 'mongoose';

/**
 * Chat as a good engineer would write it without much care: Express, mongoose, a message saved before it is answered. It
 * knows who calls and checks that the conversation is theirs; ids are the store's.
 */
export async function startPeer(mongoUrl: string, database: string, secret: string) {
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
    response.status(201).json(message);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

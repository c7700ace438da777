import { type Connection, Schema } from 'mongoose';

/** What somebody else's server answered. */
export interface AnswerDocument {
  /** What was asked. */
  _id: string;
  /** As the domain has it; none that was found is an answer too. */
  answer: unknown;
  expiresAt: Date;
}

const schema = new Schema<AnswerDocument>({
  _id: { type: String, required: true },
  answer: Schema.Types.Mixed,
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const answerModel = (connection: Connection) =>
  connection.model<AnswerDocument>('Answer', schema, 'answers');

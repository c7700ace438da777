import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { type Connection, type Model, Schema } from 'mongoose';

/** An invitation to create an account. It says neither who made it, which operators do, nor who used it. */
interface Invitation {
  /** The beginning of its code's SHA-256, so that the store alone invites nobody. Operators name it by this. */
  _id: string;
  note?: string | null;
  /** For how many accounts it is. */
  uses: number;
  /** How many of them are left. */
  usesLeft: number;
  /**
   * By the hash of a sign-up that has one of the uses: how many of its calls may have created the account. A sign-up that is
   * repeated, even at the same time, has one use, until each of its calls has failed.
   */
  claims?: Record<string, number> | null;
  createdAt: Date;
  expiresAt: Date;
}

const invitationSchema = new Schema<Invitation>({
  _id: { type: String, required: true },
  note: String,
  uses: { type: Number, required: true },
  usesLeft: { type: Number, required: true },
  claims: Schema.Types.Mixed,
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
invitationSchema.set('shardKey', { _id: 'hashed' });
invitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const invitationModel = (connection: Connection): Model<Invitation> =>
  connection.model<Invitation>('Invitation', invitationSchema, 'invitations');

/** What an invitation can be at most. A username that was given up is reserved for as many days, see `claim`. */
export const invitationLimits = { uses: 1_000, days: 90, noteLength: 200 } as const;

const dayMs = 24 * 60 * 60 * 1_000;
/** 128 bits. */
const codeBytes = 16;
const idLength = 32;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const idOf = (code: string) => hashOf(code).slice(0, idLength);

/** What an operator chooses about an invitation. */
export interface NewInvitation {
  uses: number;
  days: number;
  note?: string | undefined;
}

/** An invitation that has not expired, as operators see it. */
export interface InvitationSummary {
  id: string;
  uses: number;
  usesLeft: number;
  expiresAt: Date;
  note: string;
}

/** Invitations to create accounts. */
export interface Invitations {
  /** Returns the code as well, which is not stored. */
  create(invitation: NewInvitation): Promise<InvitationSummary & { code: string }>;
  /** Those that have not expired, the oldest first. */
  list(): Promise<InvitationSummary[]>;
  /** Returns whether there was one. */
  revoke(id: string): Promise<boolean>;
  /**
   * Takes one of the uses that are left, or joins in that of the same sign-up.
   *
   * @returns Whether there is one: the invitation may be unknown, expired or used up.
   * @param applicant - What identifies the sign-up, and is the same when it is repeated. It must contain the username: a
   *   username belongs to one account, and stays reserved for longer than an invitation can exist, so that no two accounts
   *   share a claim.
   */
  claim(code: string, applicant: string): Promise<boolean>;
  /** Gives back what a successful `claim` took, for a call that has certainly created no account. */
  release(code: string, applicant: string): Promise<void>;
}

/** Creates the store of invitations, which contains hashes of their codes only. */
export function createInvitations(model: Model<Invitation>, clock: Clock): Invitations {
  const summaryOf = ({ _id: id, uses, usesLeft, expiresAt, note }: Invitation) => {
    return { id, uses, usesLeft, expiresAt, note: note ?? '' };
  };
  /** The path of a claim. It reveals nothing about the applicant without the code. */
  const pathOf = (code: string, applicant: string) => `claims.${hashOf(`${code} ${applicant}`)}`;

  return {
    async create({ uses, days, note }: NewInvitation): Promise<InvitationSummary & { code: string }> {
      const code = randomBytes(codeBytes).toString('base64url');
      const invitation = {
        ...{ _id: idOf(code), uses, usesLeft: uses, ...(note && { note }) },
        createdAt: new Date(clock.now()),
        expiresAt: new Date(clock.now() + days * dayMs),
      };
      await model.create(invitation);
      return { ...summaryOf(invitation), code };
    },

    async list(): Promise<InvitationSummary[]> {
      const found = await model
        .find({ expiresAt: { $gt: new Date(clock.now()) } }, { claims: 0 })
        .sort({ createdAt: 1 })
        .lean();
      return found.map(summaryOf);
    },

    async revoke(id: string): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id: id });
      return deletedCount > 0;
    },

    async claim(code: string, applicant: string): Promise<boolean> {
      const _id = idOf(code);
      const path = pathOf(code, applicant);
      const isOpen = { usesLeft: { $gt: 0 }, expiresAt: { $gt: new Date(clock.now()) } };
      const taken = await model.updateOne(
        { _id, ...isOpen, [path]: null },
        { $inc: { usesLeft: -1, [path]: 1 } },
      );
      if (taken.matchedCount) return true;
      const joined = await model.updateOne({ _id, [path]: { $gte: 0 } }, { $inc: { [path]: 1 } });
      return joined.matchedCount > 0;
    },

    async release(code: string, applicant: string): Promise<void> {
      const _id = idOf(code);
      const path = pathOf(code, applicant);
      await model.updateOne({ _id, [path]: { $gt: 0 } }, { $inc: { [path]: -1 } });
      // Unless another call has joined in meanwhile.
      await model.updateOne({ _id, [path]: 0 }, { $unset: { [path]: 1 }, $inc: { usesLeft: 1 } });
    },
  };
}

import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { InvitationSummary as PublicSummary } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { isDuplicateKey } from '@wayquest/platform/store';
import { type Connection, type Model, Schema } from 'mongoose';
import type { HashKey } from './hash-key.ts';

/** An invitation to create an account. It says neither who made it nor who used it. */
interface Invitation {
  /** The beginning of its code's SHA-256, so that the store alone invites nobody. Admins and operators name it by this. */
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

const dayMs = 24 * 60 * 60 * 1_000;
/** 128 bits. */
const codeBytes = 16;
const idLength = 32;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const idOf = (code: string) => hashOf(code).slice(0, idLength);

/** What an admin or operator chooses about an invitation. */
export interface NewInvitation {
  uses: number;
  days: number;
  note?: string | undefined;
}

/** An invitation that has not expired, without its code. */
export interface InvitationSummary {
  id: string;
  uses: number;
  usesLeft: number;
  expiresAt: Date;
  note: string;
}

/** The summary in a response. */
export const toSummary = ({ expiresAt, ...summary }: InvitationSummary): PublicSummary => ({
  ...summary,
  expiresAt: expiresAt.toISOString(),
});

/** Invitations to create accounts. */
export interface Invitations {
  /**
   * Returns the code as well, which is not stored.
   *
   * @param idempotencyKey - Recognizes a repeat of the call: that returns the same invitation, with its code.
   */
  create(invitation: NewInvitation, idempotencyKey?: string): Promise<InvitationSummary & { code: string }>;
  /** Those that have not expired, the oldest first. */
  list(): Promise<InvitationSummary[]>;
  /** Throws `invitation-not-found`. */
  revoke(id: string): Promise<void>;
  /**
   * Takes one of the uses that are left, or joins in that of the same sign-up.
   *
   * @returns Whether there is one: the invitation may be unknown, expired or used up.
   * @param applicant - What identifies the sign-up, and is the same when it is repeated. It must contain the username: a
   *   username belongs to one account, and stays reserved for longer than an invitation can exist (`invitationLimits`), so that no
   *   two accounts share a claim.
   */
  claim(code: string, applicant: string): Promise<boolean>;
  /** Gives back what a successful `claim` took, for a call that has certainly created no account. */
  release(code: string, applicant: string): Promise<void>;
}

/** Creates the store of invitations, which contains hashes of their codes only. */
export function createInvitations(
  model: Model<Invitation>,
  hashKey: Pick<HashKey, 'keyFor'>,
  clock: Clock,
): Invitations {
  const summaryOf = ({ _id: id, uses, usesLeft, expiresAt, note }: Invitation) => {
    return { id, uses, usesLeft, expiresAt, note: note ?? '' };
  };
  /** The path of a claim. It reveals nothing about the applicant without the code. */
  const pathOf = (code: string, applicant: string) => `claims.${hashOf(`${code} ${applicant}`)}`;

  /** The code of a call, for its repeats as well; nobody can compute it without the secret of the installation. */
  const codeOfCall = (idempotencyKey: string) =>
    createHmac('sha256', hashKey.keyFor('wayquest invitations'))
      .update(idempotencyKey)
      .digest()
      .subarray(0, codeBytes);

  return {
    async create(
      { uses, days, note }: NewInvitation,
      idempotencyKey?: string,
    ): Promise<InvitationSummary & { code: string }> {
      const bytes = idempotencyKey ? codeOfCall(idempotencyKey) : randomBytes(codeBytes);
      const code = bytes.toString('base64url');
      const invitation = {
        ...{ _id: idOf(code), uses, usesLeft: uses, ...(note && { note }) },
        createdAt: new Date(clock.now()),
        expiresAt: new Date(clock.now() + days * dayMs),
      };
      try {
        await model.create(invitation);
        return { ...summaryOf(invitation), code };
      } catch (error) {
        const existing =
          isDuplicateKey(error) && (await model.findOne({ _id: invitation._id }, { claims: 0 }).lean());
        if (!existing) throw error;
        return { ...summaryOf(existing), code };
      }
    },

    async list(): Promise<InvitationSummary[]> {
      const found = await model
        .find({ expiresAt: { $gt: new Date(clock.now()) } }, { claims: 0 })
        .sort({ createdAt: 1 })
        .lean();
      return found.map(summaryOf);
    },

    async revoke(id: string): Promise<void> {
      const { deletedCount } = await model.deleteOne({ _id: id });
      if (!deletedCount) throw new Problem('invitation-not-found');
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

import { createHmac } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { limits, Problem } from '@wayquest/platform/core';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { usernameKey } from './account.model.ts';
import type { HashKey } from './hash-key.ts';
import type { UsernameLooks } from './username-looks.ts';

/** Words that suggest an official account, also as a part of a username. */
const officialWords = ['admin', 'administrator', 'moderator', 'official', 'staff', 'support', 'wayquest'];

/** The same as a whole username. */
const reserved = [
  ...['admins', 'help', 'helpdesk', 'mod', 'moderation', 'operator', 'owner', 'root', 'security'],
  ...['superuser', 'sysadmin', 'system', 'team', 'webmaster'],
];

/** Characters that can stand for letters; usernames have no others (see the contract). */
const lookalikes: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' };

/** A username as a hurried reader sees it. */
const skeleton = (username: string): string =>
  [...usernameKey(username)]
    .filter((character) => !'._-'.includes(character))
    .map((character) => lookalikes[character] ?? character)
    .join('');

const misleadingParts = new Set(officialWords.map(skeleton));
const reservedNames = new Set([...officialWords, ...reserved].map(skeleton));

const impersonatesOfficial = (username: string): boolean =>
  reservedNames.has(skeleton(username)) ||
  usernameKey(username)
    .split(/[._-]+/)
    .some((part) => misleadingParts.has(skeleton(part)));

/** A shorter name says nothing about who has it. */
const minSiteNameLength = 3;

/** The skeleton of an installation's name, as far as a username can show it; undefined if that is too little. */
function skeletonOfSite(name: string): string | undefined {
  const shown = skeleton(name.replace(/[^a-z\d]/gi, ''));
  return shown.length < minSiteNameLength ? undefined : shown;
}

const reservationMs = 90 * 24 * 60 * 60 * 1_000;

interface FreedUsername {
  /**
   * A keyed hash of the username in lower case, so that this collection alone reveals no username. Older versions stored
   * it in clear text.
   */
  _id: string;
  /** The previous owner. */
  accountId: number;
  restsUntil: Date;
}

const schema = new Schema<FreedUsername>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  restsUntil: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ restsUntil: 1 }, { expireAfterSeconds: 0 });
schema.index({ accountId: 1 });

/** A hash is longer than any username. */
const maxUsernameLength = 30;

/** Decides which usernames can be claimed. */
export interface Usernames {
  /** Throws `username-taken` for a misleading or reserved username. */
  assertAvailable(username: string, accountId?: number): Promise<void>;
  /** Makes sure that no other account has a look-alike username. Throws `username-taken`. */
  claim(username: string, accountId: number): Promise<void>;
  /**
   * Throws `too-many-requests` if the account may give up no more usernames: each is reserved, so nobody else can have it.
   * One of its reserved usernames can always be taken back.
   */
  assertMayReserve(username: string, accountId: number): Promise<void>;
  /** Reserves a released username for 90 days. */
  reserve(username: string, accountId: number): Promise<void>;
  /** Removes a deleted user's readable usernames. */
  erase(accountId: number): Promise<void>;
}

/**
 * Creates the reservations of usernames; those of deleted accounts stay reserved, as hashes.
 */
export function createUsernames({
  connection,
  hashKey,
  looks,
  clock,
  siteName = '',
}: {
  connection: Connection;
  hashKey: Pick<HashKey, 'keyFor'>;
  looks: UsernameLooks;
  clock: Clock;
  /** What the installation is called: nobody else can be. Operators can create an account of that name. */
  siteName?: string;
}): Usernames {
  const site = skeletonOfSite(siteName);
  const idOf = (username: string) =>
    createHmac('sha256', hashKey.keyFor('wayquest freed usernames'))
      .update(usernameKey(username))
      .digest('base64url');
  const Freed = connection.model<FreedUsername>('FreedUsername', schema, 'freed_usernames');
  return {
    async assertAvailable(username: string, accountId?: number): Promise<void> {
      if (impersonatesOfficial(username) || skeleton(username) === site)
        throw new Problem('username-taken', {
          detail: 'That username could be mistaken for an official one. Please choose another.',
        });
      const freed = await Freed.findOne({
        _id: { $in: [idOf(username), usernameKey(username)] },
        restsUntil: { $gt: new Date(clock.now()) },
      }).lean();
      if (freed && freed.accountId !== accountId) throw new Problem('username-taken');
    },

    async claim(username: string, accountId: number): Promise<void> {
      if (!(await looks.claim(username, accountId))) throw new Problem('username-taken');
    },

    async assertMayReserve(username: string, accountId: number): Promise<void> {
      const others = { accountId, restsUntil: { $gt: new Date(clock.now()) }, _id: { $ne: idOf(username) } };
      const { max, problem, detail } = limits.reservedUsernames;
      if ((await Freed.countDocuments(others)) >= max) throw new Problem(problem, { detail: detail(max) });
    },

    reserve: (username: string, accountId: number): Promise<void> =>
      upsert(
        Freed,
        { _id: idOf(username) },
        { $set: { accountId, restsUntil: new Date(clock.now() + reservationMs) } },
      ),

    async erase(accountId: number): Promise<void> {
      const freed = await Freed.find({ accountId }, { _id: 1 }).lean();
      const names = freed.map(({ _id }) => _id).filter((id) => id.length <= maxUsernameLength);
      await Freed.deleteMany({ _id: { $in: names } });
      await looks.erase(accountId);
    },
  };
}

import {
  CallError,
  type Client,
  type EventData,
  generatedAvatar,
  type Me,
  mostForVisitors,
  type OperationRequest,
  type Operations,
  type ProfileUpdate,
  type PublicUser,
} from '@wayquest/contracts';
import { newEvent, type Outbox, type WithOutbox, withEvents } from '@wayquest/platform/bus';
import { type Caller, Problem } from '@wayquest/platform/http';
import { type FriendshipReplica, heardAt, type Word } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { tellSecurity } from '@wayquest/platform/telemetry';
import escapeRegExp from 'escape-string-regexp';
import type { QueryFilter } from 'mongoose';
import type { Ledger } from './ledger.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';
import { presentMe, presentPublic } from './profile.presenter.ts';

type Account = Omit<EventData<'user.registered.v1'>, 'version'> & { version: number };
type AccountWord = Word<'user.registered.v1' | 'user.account-changed.v1'>;
type UserQuery = OperationRequest<Operations['listUsers']>['query'];
type Stored = Omit<ProfileDocument, 'outbox'>;
type Changes = Partial<Omit<ProfileDocument, '_id' | 'version' | keyof WithOutbox>>;

/** How many are answered when nobody says. */
export const defaultLimit = 100;

/** The operations on profiles, in the words of the domain. */
export function createProfiles({
  kit: { logger, connection },
  outbox,
  friendships,
  ledger,
  authClient,
}: {
  kit: ServiceKit;
  outbox: Outbox<ProfileDocument>;
  friendships: FriendshipReplica;
  ledger: Ledger;
  authClient: Client;
}) {
  const Profiles = profileModel(connection);

  const profileChanged = (profile: Stored, pointsBefore?: number) =>
    newEvent('user.profile-changed.v1', {
      ...{ user: presentPublic(profile), version: profile.version },
      ...(pointsBefore !== undefined && { pointsBefore }),
    });

  const insert = async ({ id, username, admin, version }: Account): Promise<Stored | undefined> => {
    const profile = {
      _id: id,
      version: 1,
      username,
      admin,
      accountVersion: version,
      firstName: '',
      lastName: '',
      streetAddress: '',
      city: '',
      state: '',
      zip: '',
      email: '',
      avatar: generatedAvatar(id),
      points: 0,
    };
    try {
      await outbox.create(profile, [profileChanged(profile)]);
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    return profile;
  };

  /** Makes a change on the newest state and tells of it; nothing to change is no change. Throws `user-not-found`. */
  const change = async (
    id: number,
    changesFor: (profile: Stored) => Changes | undefined,
  ): Promise<Stored> => {
    for (;;) {
      const profile = await Profiles.findById(id, { outbox: 0 }).lean();
      if (!profile) throw new Problem('user-not-found');
      const changes = changesFor(profile);
      if (!changes) return profile;
      const changed = { ...profile, ...changes, version: profile.version + 1 };
      // An award does not count as a version.
      const { points } = profile;
      const moves = changed.points !== points;
      const events = [profileChanged(changed, moves ? points : undefined)];
      const { modifiedCount } = await Profiles.updateOne(
        { _id: id, version: profile.version, ...(moves && { points }) },
        withEvents({ $set: { ...changes, version: changed.version } }, events),
      );
      if (modifiedCount) {
        outbox.send(id);
        return changed;
      }
    }
  };

  /** What auth says, if it is newer; told again it counts whatever the version, unless news came meanwhile. */
  const fromAccount = (word: AccountWord) => (profile: Stored) => {
    const { username, admin, version: accountVersion } = word.data;
    const isSame =
      profile.username === username && profile.admin === admin && profile.accountVersion === accountVersion;
    const isStale = !!word.replayed && !isSame && (profile.heardAt ?? new Date(0)) < new Date(word.replayed);
    return isStale || profile.accountVersion < accountVersion
      ? { username, admin, accountVersion, heardAt: heardAt(word) }
      : undefined;
  };

  /** Points that were awarded before the profile was here. */
  const takeAwarded = async (id: number): Promise<Stored> => {
    const points = await ledger.pointsOf(id);
    return change(id, (profile) => (profile.points < points ? { points } : undefined));
  };

  /** The caller's profile; one that has not arrived yet is made from the token. */
  const ofCaller = async ({ id, username, admin }: Caller): Promise<Stored> =>
    (await Profiles.findById(id, { outbox: 0 }).lean()) ??
    ((await insert({ id, username, admin, version: 0 }))
      ? takeAwarded(id)
      : Profiles.findById(id, { outbox: 0 }).lean().orFail());

  /** Throws `username-taken`. */
  const claimUsername = async (username: string, { token }: Caller) => {
    try {
      return await authClient.changeUsername({ body: { username } }, { token });
    } catch (error) {
      const taken = error instanceof CallError && error.problem?.code === 'username-taken';
      throw new Problem(taken ? 'username-taken' : 'service-unavailable', { cause: error });
    }
  };

  const matching = (text: string): QueryFilter<ProfileDocument> => {
    const pattern = new RegExp(escapeRegExp(text), 'i');
    return { $or: [{ username: pattern }, { firstName: pattern }, { lastName: pattern }] };
  };

  /** Somebody without an account pages through so many only. Throws `unauthenticated`. */
  const requireNear = async (cursor: number): Promise<void> => {
    const passed = await Profiles.countDocuments({ _id: { $lte: cursor } }, { limit: mostForVisitors });
    if (passed < mostForVisitors) return;
    throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
  };

  const suggest = async (count: number, caller: Caller | undefined): Promise<Stored[]> => {
    const known = caller ? [caller.id, ...(await friendships.friendsAndAskedOf(caller.id))] : [];
    return Profiles.aggregate<Stored>([
      { $match: { _id: { $nin: known } } },
      { $sample: { size: count } },
      { $project: { outbox: 0 } },
    ]);
  };

  return {
    ofCaller,

    async me(caller: Caller): Promise<Me> {
      return presentMe(await ofCaller(caller));
    },

    /** A new username is claimed in auth first. Throws `username-taken`. */
    async update({ username, ...fields }: ProfileUpdate, caller: Caller): Promise<Me> {
      const profile = await ofCaller(caller);
      const claimed =
        username && username !== profile.username ? await claimUsername(username, caller) : undefined;
      const updated = await change(caller.id, (current) => ({
        ...fields,
        ...(claimed &&
          current.accountVersion < claimed.version && {
            username: claimed.username,
            accountVersion: claimed.version,
            heardAt: new Date(),
          }),
      }));
      return presentMe(updated);
    },

    /** Answers also which one it replaced. */
    async setAvatar(avatar: string, caller: Caller): Promise<{ profile: Stored; replaced: string }> {
      let { avatar: replaced } = await ofCaller(caller);
      const profile = await change(caller.id, (current) => {
        replaced = current.avatar;
        return { avatar };
      });
      return { profile, replaced };
    },

    async avatarOf(id: number): Promise<string | undefined> {
      return (await Profiles.findById(id, { avatar: 1 }).lean())?.avatar;
    },

    /** Throws `user-not-found`. */
    async get(id: number): Promise<PublicUser> {
      const profile = await Profiles.findById(id, { outbox: 0 }).lean();
      if (!profile) throw new Problem('user-not-found');
      return presentPublic(profile);
    },

    async list(
      { search, ids, suggested, cursor, limit = defaultLimit }: UserQuery,
      caller: Caller | undefined,
    ): Promise<PublicUser[]> {
      if (suggested) return (await suggest(suggested, caller)).map(presentPublic);
      if (cursor && !caller) await requireNear(Number(cursor));
      const filters: QueryFilter<ProfileDocument>[] = [{ _id: { $gt: Number(cursor) || 0 } }];
      if (ids) filters.push({ _id: { $in: ids } });
      if (search) filters.push(matching(search));
      const profiles = await Profiles.find({ $and: filters }, { outbox: 0 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return profiles.map(presentPublic);
    },

    /** Everybody as others see them now, their points included. */
    async *retell(after: number) {
      const all = Profiles.find({ _id: { $gt: after } }, { outbox: 0 }).sort({ _id: 1 });
      for await (const profile of all.lean().cursor())
        yield { id: profile._id, events: [profileChanged(profile)] };
    },

    async keepAccount(word: AccountWord): Promise<void> {
      const { data } = word;
      if (!(await insert(data))) {
        let wasAdmin = data.admin;
        const { admin } = await change(data.id, (profile) => {
          wasAdmin = profile.admin;
          return fromAccount(word)(profile);
        });
        // Here, since whoever gives rights by the command has no metrics that anybody reads.
        if (admin !== wasAdmin)
          tellSecurity(logger, {
            event: 'rights-changed',
            service: 'users',
            userId: data.id,
            operation: admin ? 'grant' : 'revoke',
          });
      }
      await takeAwarded(data.id);
    },
  };
}

export type Profiles = ReturnType<typeof createProfiles>;

import {
  CallError,
  type Client,
  type EventData,
  generatedAvatar,
  type Me,
  type OperationRequest,
  type Operations,
  type ProfileUpdate,
  type PublicUser,
} from '@wayquest/contracts';
import {
  type Caller,
  type FriendshipReplica,
  isDuplicateKey,
  newEvent,
  outboxOf,
  Problem,
  type ServiceKit,
  type WithOutbox,
  withEvents,
} from '@wayquest/platform';
import escapeRegExp from 'escape-string-regexp';
import type { QueryFilter } from 'mongoose';
import { type ProfileDocument, profileModel } from './profile.model.ts';
import { presentMe, presentPublic } from './profile.presenter.ts';

type Account = Omit<EventData<'user.registered.v1'>, 'version'> & { version: number };
type UserQuery = OperationRequest<Operations['listUsers']>['query'];
type Stored = Omit<ProfileDocument, 'outbox'>;
type Changes = Partial<Omit<ProfileDocument, '_id' | 'version' | keyof WithOutbox>>;

/** How many are answered when nobody says. */
export const defaultLimit = 100;

/** The operations on profiles, in the words of the domain. */
export function createProfiles(
  { connection, outbox }: ServiceKit,
  friendships: FriendshipReplica,
  authClient: Client,
) {
  const Profiles = profileModel(connection);

  const profileChanged = (profile: Stored) =>
    newEvent('user.profile-changed.v1', { user: presentPublic(profile), version: profile.version });

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
    const events = [profileChanged(profile)];
    try {
      await Profiles.create({ ...profile, ...outboxOf(events) });
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
    outbox.send(Profiles, id, events);
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
      const events = [profileChanged(changed)];
      const { modifiedCount } = await Profiles.updateOne(
        { _id: id, version: profile.version },
        withEvents({ $set: { ...changes, version: changed.version } }, events),
      );
      if (modifiedCount) {
        outbox.send(Profiles, id, events);
        return changed;
      }
    }
  };

  const fromAccount = (account: Account) => (profile: Stored) =>
    profile.accountVersion < account.version
      ? { username: account.username, admin: account.admin, accountVersion: account.version }
      : undefined;

  /** The caller's profile; one that has not arrived yet is made from the token. */
  const ofCaller = async ({ id, username, admin }: Caller): Promise<Stored> =>
    (await Profiles.findById(id, { outbox: 0 }).lean()) ??
    (await insert({ id, username, admin, version: 0 })) ??
    (await Profiles.findById(id, { outbox: 0 }).lean().orFail());

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
          }),
      }));
      return presentMe(updated);
    },

    async setAvatar(avatar: string, caller: Caller): Promise<Stored> {
      await ofCaller(caller);
      return change(caller.id, () => ({ avatar }));
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
      const filters: QueryFilter<ProfileDocument>[] = [{ _id: { $gt: Number(cursor) || 0 } }];
      if (ids) filters.push({ _id: { $in: ids } });
      if (search) filters.push(matching(search));
      const profiles = await Profiles.find({ $and: filters }, { outbox: 0 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return profiles.map(presentPublic);
    },

    /** Everybody as others see them now. */
    async *retell() {
      for await (const profile of Profiles.find({}, { outbox: 0 }).lean().cursor())
        yield profileChanged(profile);
    },

    async keepAccount(account: Account): Promise<void> {
      if (!(await insert(account))) await change(account.id, fromAccount(account));
    },
  };
}

export type Profiles = ReturnType<typeof createProfiles>;

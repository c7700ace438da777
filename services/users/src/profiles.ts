import { isDeepStrictEqual } from 'node:util';
import {
  CallError,
  type Client,
  type EventData,
  generatedAvatar,
  type Me,
  type OperationRequest,
  type Operations,
  type Privacy,
  type PublicUser,
  townKey,
  type ViewedUser,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Outbox, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import {
  type BlockReplica,
  type FriendshipReplica,
  lastEventAt,
  type ReplicaEvent,
} from '@wayquest/platform/replicas';
import { tokenize } from '@wayquest/platform/search';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Caller } from '@wayquest/platform/tokens';
import type { Ledger } from './ledger.ts';
import {
  type ProfileDocument,
  presentMe,
  presentPublic,
  presentTo,
  privacyOf,
  profileModel,
  publicProjection,
  type StoredProfile,
  visibilityOf,
} from './profile.model.ts';
import type { Towns } from './towns.ts';

type Account = Omit<EventData<'user.registered.v1'>, 'version'> & { version: number };
type AccountEvent = ReplicaEvent<'user.registered.v1' | 'user.account-changed.v1'>;
type Update = OperationRequest<Operations['updateMe']>['body'];
type Changes = Partial<Omit<ProfileDocument, '_id' | 'version' | keyof WithOutbox>>;

/** Problems by which auth rejects a change of an account. */
const authProblemCodes = [
  'username-taken',
  'password-required',
  'reauthentication-required',
  'invalid-credentials',
] as const;

/** The fields that a search matches: its tokens come from them. */
export const searchedFields = ['username', 'firstName', 'lastName'] as const;

/** Hidden names cannot be searched. */
const searchTokensOf = (profile: StoredProfile): string[] => {
  const publicView = presentPublic(profile);
  return tokenize(searchedFields.map((name) => publicView[name]));
};

/** Whether changes would change something. */
const differs = <T extends object>(current: T, changes: Partial<T>): boolean =>
  !isDeepStrictEqual(current, { ...current, ...changes });

/** The operations on profiles. */
export interface Profiles {
  /** The caller's profile; created from the token if it has not arrived yet. */
  getOrCreate(caller: Caller): Promise<StoredProfile>;
  me(caller: Caller): Promise<Me>;
  /** A new username or e-mail address is validated by auth first. Throws its problems. */
  update(update: Update, caller: Caller): Promise<Me>;
  privacy(caller: Caller): Promise<Privacy>;
  updatePrivacy(chosen: Partial<Privacy>, caller: Caller): Promise<Privacy>;
  /** Also returns the one that it replaced. */
  setAvatar(avatar: string, caller: Caller): Promise<{ profile: StoredProfile; replaced: string }>;
  /** Usernames by id, of existing users. */
  usernamesOf(ids: number[]): Promise<Map<number, Pick<PublicUser, 'id' | 'username'>>>;
  avatarOf(id: number): Promise<string | undefined>;
  /** Throws `user-not-found`, also for a caller whom the user blocked, except for admins. */
  get(id: number, caller?: Caller): Promise<ViewedUser>;
  /** A snapshot of all public profiles with their points. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  applyAccount(word: AccountEvent): Promise<void>;
}

/** Creates the store of profiles; every change of one publishes it. */
export function createProfiles({
  kit: { logger, connection, clock },
  outbox,
  friendships,
  blocks,
  ledger,
  towns,
  authClient,
  changeLimiter,
}: {
  kit: ServiceKit;
  outbox: Outbox<ProfileDocument>;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  ledger: Ledger;
  towns: Towns;
  authClient: Client;
  /** Counts an account's changes, each of which all services receive. */
  changeLimiter: RateLimiter;
}): Profiles {
  const Profiles = profileModel(connection);

  const profileChanged = (profile: StoredProfile, pointsBefore?: number) => {
    const { participation, requests, presence } = privacyOf(profile);
    return newEvent(
      'user.profile-changed.v1',
      {
        ...{ user: presentPublic(profile), privacy: { participation, requests, presence } },
        version: profile.version,
        ...(pointsBefore !== undefined && { pointsBefore }),
        pointsVersion: profile.pointsVersion ?? 0,
      },
      clock,
    );
  };

  const insert = async ({ id, username, admin, version }: Account): Promise<StoredProfile | undefined> => {
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
      words: tokenize([username]),
      avatar: generatedAvatar(id),
      town: '',
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

  /** Changes the latest state and publishes it; no change publishes nothing. Throws `user-not-found`. */
  const change = async (
    id: number,
    changesFor: (profile: StoredProfile) => Changes | undefined | Promise<Changes | undefined>,
  ): Promise<StoredProfile> => {
    for (;;) {
      const profile = await Profiles.findById(id, publicProjection).lean();
      if (!profile) throw new Problem('user-not-found');
      const changes = await changesFor(profile);
      if (!changes) {
        // A call before this one has failed in between.
        if (profile.townIsMoving || profile.townUncounted) await towns.move(id, profile.town);
        return profile;
      }
      const { points, pointsVersion = null } = profile;
      const changesPoints = changes.points !== undefined && changes.points !== points;
      const town = townKey(presentPublic({ ...profile, ...changes }));
      const uncounted = towns.uncounted(profile, { ...changes, town });
      const changesRank = changesPoints || uncounted.townUncounted !== undefined;
      // Points and ranks have a version of their own.
      const set = { ...changes, ...(changesRank && { pointsVersion: (pointsVersion ?? 0) + 1 }) };
      const changed = { ...profile, ...set, version: profile.version + 1 };
      const events = [profileChanged(changed, changesPoints ? points : undefined)];
      const { modifiedCount } = await Profiles.updateOne(
        { _id: id, version: profile.version, ...(changesRank && { pointsVersion }) },
        withEvents(
          {
            $set: {
              ...{ ...set, words: searchTokensOf(changed), town, version: changed.version },
              ...(town !== profile.town && { townIsMoving: true }),
            },
            $push: uncounted,
          },
          events,
          clock,
        ),
      );
      if (modifiedCount) {
        outbox.send(id);
        if (town !== profile.town || uncounted.townUncounted || profile.townIsMoving)
          await towns.move(id, town);
        return changed;
      }
    }
  };

  /** Applies an account event if it is newer; a replayed one regardless of its version, unless a newer event arrived meanwhile. */
  const fromAccount = (event: AccountEvent) => (profile: StoredProfile) => {
    const { username, admin, version: accountVersion } = event.data;
    const isSame =
      profile.username === username && profile.admin === admin && profile.accountVersion === accountVersion;
    const isStale =
      !!event.replayed && !isSame && (profile.lastEventAt ?? new Date(0)) < new Date(event.replayed);
    return isStale || profile.accountVersion < accountVersion
      ? { username, admin, accountVersion, lastEventAt: lastEventAt(event) }
      : undefined;
  };

  /** Points that were awarded before the profile arrived. */
  const applyLedgerPoints = (id: number): Promise<StoredProfile> =>
    change(id, async (profile) => {
      const points = await ledger.pointsOf(id);
      return profile.points === points ? undefined : { points, ...(await towns.sumsOf(id)) };
    });

  const getOrCreate = async ({ id, username, admin }: Caller): Promise<StoredProfile> =>
    (await Profiles.findById(id, publicProjection).lean()) ??
    ((await insert({ id, username, admin, version: 0 }))
      ? applyLedgerPoints(id)
      : Profiles.findById(id, publicProjection).lean().orFail());

  /** Calls auth, and passes its problems on to the caller. */
  const callAuth = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      const problem = error instanceof CallError ? error.problem : undefined;
      const refusal = authProblemCodes.find((code) => code === problem?.code);
      if (refusal)
        throw new Problem(refusal, { cause: error, ...(problem?.detail && { detail: problem.detail }) });
      if (problem?.status === 429)
        throw new Problem('too-many-requests', { cause: error, detail: problem.detail ?? problem.title });
      throw new Problem('service-unavailable', { cause: error });
    }
  };

  return {
    getOrCreate,

    async me(caller: Caller): Promise<Me> {
      return presentMe(await getOrCreate(caller));
    },

    async update({ username, currentPassword, ...fields }: Update, caller: Caller): Promise<Me> {
      const profile = await getOrCreate(caller);
      const { token } = caller;
      const { email } = fields;
      if (differs(profile, { ...fields, ...(username && { username }) }))
        await changeLimiter.count(String(caller.id));
      if (email !== undefined && email !== profile.email)
        await callAuth(authClient.changeEmail({ body: { email, currentPassword } }, { token }));
      const claimed =
        username && username !== profile.username
          ? await callAuth(authClient.changeUsername({ body: { username, currentPassword } }, { token }))
          : undefined;
      const updated = await change(caller.id, (current) => {
        const changes = {
          ...fields,
          ...(claimed &&
            current.accountVersion < claimed.version && {
              username: claimed.username,
              accountVersion: claimed.version,
              lastEventAt: new Date(clock.now()),
            }),
        };
        return differs(current, changes) ? changes : undefined;
      });
      return presentMe(updated);
    },

    async privacy(caller: Caller): Promise<Privacy> {
      return privacyOf(await getOrCreate(caller));
    },

    async updatePrivacy(chosen: Partial<Privacy>, caller: Caller): Promise<Privacy> {
      if (differs(privacyOf(await getOrCreate(caller)), chosen)) await changeLimiter.count(String(caller.id));
      return privacyOf(
        await change(caller.id, (profile) =>
          differs(privacyOf(profile), chosen) ? { privacy: { ...profile.privacy, ...chosen } } : undefined,
        ),
      );
    },

    async setAvatar(avatar: string, caller: Caller): Promise<{ profile: StoredProfile; replaced: string }> {
      let { avatar: replaced } = await getOrCreate(caller);
      const profile = await change(caller.id, (current) => {
        replaced = current.avatar;
        return { avatar };
      });
      return { profile, replaced };
    },

    async usernamesOf(ids: number[]): Promise<Map<number, Pick<PublicUser, 'id' | 'username'>>> {
      const found = await Profiles.find({ _id: { $in: ids } }, { username: 1 }).lean();
      return new Map(found.map(({ _id: id, username }) => [id, { id, username }]));
    },

    async avatarOf(id: number): Promise<string | undefined> {
      return (await Profiles.findById(id, { avatar: 1 }).lean())?.avatar;
    },

    async get(id: number, caller?: Caller): Promise<ViewedUser> {
      if (caller && !caller.admin && (await blocks.hasBlocked(id, caller.id)))
        throw new Problem('user-not-found');
      const profile = await Profiles.findById(id, publicProjection).lean();
      if (!profile) throw new Problem('user-not-found');
      const readerOf = await friendships.readerOf(caller?.id, [visibilityOf(profile)]);
      return presentTo(caller, profile, readerOf(id));
    },

    async *snapshot(after: number) {
      const all = Profiles.find({ _id: { $gt: after } }, publicProjection).sort({ _id: 1 });
      for await (const profile of all.lean().cursor())
        yield { id: profile._id, events: [profileChanged(profile)] };
    },

    async applyAccount(event: AccountEvent): Promise<void> {
      const { data } = event;
      if (!(await insert(data))) {
        let wasAdmin = data.admin;
        const { admin } = await change(data.id, (profile) => {
          wasAdmin = profile.admin;
          return fromAccount(event)(profile);
        });
        // Logged here: the admin command that grants rights exposes no metrics.
        if (admin !== wasAdmin)
          logSecurityEvent(logger, {
            event: 'rights-changed',
            service: 'users',
            userId: data.id,
            operation: admin ? 'grant' : 'revoke',
          });
      }
      await applyLedgerPoints(data.id);
    },
  };
}

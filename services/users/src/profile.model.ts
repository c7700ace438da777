import {
  type Audience,
  defaultPrivacy,
  isVisibleTo,
  type Me,
  type Privacy,
  type PublicUser,
  type ViewedUser,
} from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import type { WithSearchTokens } from '@wayquest/platform/search';
import type { Caller } from '@wayquest/platform/tokens';
import { type Connection, type Model, Schema } from 'mongoose';
import { type UncountedPlace, uncountedPlaces } from './uncounted.ts';

/** The fields that a user edits. */
export interface ProfileFields {
  firstName: string;
  lastName: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
  email: string;
}

/** A ledger entry, awarded or revoked, that was published with a profile's points. */
export interface AppliedAward {
  _id: string;
  revokedPoints?: number | null;
}

export interface ProfileDocument extends WithOutbox, WithSearchTokens, ProfileFields {
  _id: number;
  /** Version of the published profile. */
  version: number;
  username: string;
  admin: boolean;
  /** Version of auth's account that username and admin are from; 0 if known from a token only. */
  accountVersion: number;
  /** Time of auth's latest event. */
  lastEventAt?: Date | null;
  avatar: string;
  /**
   * Key of city and state (the contracts' `townOf`); '' if unknown or not shown to everybody. Absent in documents of older
   * versions.
   */
  town: string;
  /** Set with the town until the person's rankings have moved there, too. */
  townIsMoving?: boolean | null;
  points: number;
  /** Version of the points and of where they rank, in which town. Absent in documents of older versions. */
  pointsVersion?: number | null;
  /** Ledger entries that the points contain and whose `appliedAt` is not written yet. */
  appliedAwards?: AppliedAward[] | null;
  /** Points of the town's ranking: for others' challenges, without those under review. Null for none, or not computed yet. */
  townPoints?: number | null;
  /** How many of these are with a check-in; null for none. */
  townCheckedIn?: number | null;
  /** Where the town's ranking has to be counted again. */
  townUncounted?: UncountedPlace[] | null;
  /** Chosen privacy settings; absent: defaults. */
  privacy?: Partial<Privacy> | null;
}

const text = { type: String, default: '' };

const schema = new Schema<ProfileDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  username: { type: String, required: true },
  admin: { type: Boolean, required: true },
  accountVersion: { type: Number, required: true },
  lastEventAt: Date,
  firstName: text,
  lastName: text,
  streetAddress: text,
  city: text,
  state: text,
  zip: text,
  email: text,
  words: { type: [String], required: true },
  avatar: { type: String, required: true },
  town: String,
  townIsMoving: Boolean,
  points: { type: Number, required: true },
  pointsVersion: Number,
  appliedAwards: {
    type: [new Schema<AppliedAward>({ _id: { type: String, required: true }, revokedPoints: Number })],
    default: undefined,
  },
  townPoints: Number,
  townCheckedIn: Number,
  townUncounted: uncountedPlaces,
  privacy: Schema.Types.Mixed,
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ points: -1, _id: 1 });
schema.index({ town: 1, townPoints: -1, townCheckedIn: -1, _id: 1 });
schema.index({ townIsMoving: 1 }, { sparse: true });
schema.index({ words: 1 });

export const profileModel = (connection: Connection) =>
  connection.model<ProfileDocument>('Profile', schema, 'profiles');

/** The key of a person's town; '' if unknown. */
export const townOf = async (Profiles: Model<ProfileDocument>, userId: number): Promise<string> =>
  (await Profiles.findById(userId, { town: 1 }).lean())?.town ?? '';

/** A profile without its outbox and search tokens. */
export type StoredProfile = Omit<ProfileDocument, 'outbox' | 'words'>;

/** Its fields in a query. */
export const publicProjection = { outbox: 0, words: 0 } as const;

/** A user's privacy settings, or the defaults. */
export const privacyOf = ({ privacy }: Pick<ProfileDocument, 'privacy'>): Privacy => ({
  ...defaultPrivacy,
  ...privacy,
});

/** The audiences of a user's restricted fields. */
export const visibilityOf = (profile: StoredProfile): { id: number; visibility: Audience[] } => {
  const { name, town } = privacyOf(profile);
  return { id: profile._id, visibility: [name, town] };
};

/** The fields that a reader may see; default: as everybody. */
export const presentPublic = (profile: StoredProfile, reader: Audience = 'everybody'): PublicUser => {
  const { name, town } = privacyOf(profile);
  const showsName = isVisibleTo(name, reader);
  const showsTown = isVisibleTo(town, reader);
  return {
    id: profile._id,
    username: profile.username,
    firstName: showsName ? profile.firstName : '',
    lastName: showsName ? profile.lastName : '',
    city: showsTown ? profile.city : '',
    state: showsTown ? profile.state : '',
    avatar: profile.avatar,
    points: profile.points,
  };
};

/** What a caller sees of a user, and can do. */
export const presentTo = (
  caller: Pick<Caller, 'id'> | undefined,
  profile: StoredProfile,
  reader: Audience,
): ViewedUser => ({
  ...presentPublic(profile, reader),
  ...(caller && { can: { befriend: caller.id !== profile._id && privacyOf(profile).requests } }),
});

/** The owner's view. */
export const presentMe = (profile: StoredProfile): Me => ({
  ...presentPublic(profile, 'me'),
  email: profile.email,
  streetAddress: profile.streetAddress,
  zip: profile.zip,
  admin: profile.admin,
});

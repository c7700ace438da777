import {
  type Audience,
  defaultPrivacy,
  isVisibleTo,
  type Me,
  type Privacy,
  type PublicUser,
} from '@wayquest/contracts';
import type { ProfileDocument } from './profile.model.ts';

type Stored = Omit<ProfileDocument, 'outbox' | 'words'>;

/** A user's privacy settings, or the defaults. */
export const privacyOf = ({ privacy }: Pick<ProfileDocument, 'privacy'>): Privacy => ({
  ...defaultPrivacy,
  ...privacy,
});

/** The audiences of a user's restricted fields. */
export const visibilityOf = (profile: Stored): { id: number; visibility: Audience[] } => {
  const { name, town } = privacyOf(profile);
  return { id: profile._id, visibility: [name, town] };
};

/** The fields that a reader may see; default: as everybody. */
export const presentPublic = (profile: Stored, reader: Audience = 'everybody'): PublicUser => {
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

/** The owner's view. */
export const presentMe = (profile: Stored): Me => ({
  ...presentPublic(profile, 'me'),
  email: profile.email,
  streetAddress: profile.streetAddress,
  zip: profile.zip,
  admin: profile.admin,
});

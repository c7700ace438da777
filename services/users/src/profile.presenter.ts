import type { Me, PublicUser } from '@wayquest/contracts';
import type { ProfileDocument } from './profile.model.ts';

type Stored = Omit<ProfileDocument, 'outbox' | 'words'>;

/** What anyone may see. */
export const presentPublic = (profile: Stored): PublicUser => ({
  id: profile._id,
  username: profile.username,
  firstName: profile.firstName,
  lastName: profile.lastName,
  city: profile.city,
  state: profile.state,
  avatar: profile.avatar,
  points: profile.points,
});

/** What its owner sees. */
export const presentMe = (profile: Stored): Me => ({
  ...presentPublic(profile),
  email: profile.email,
  streetAddress: profile.streetAddress,
  zip: profile.zip,
  admin: profile.admin,
});

import {
  type Audience,
  isShownTo,
  type Me,
  openPrivacy,
  type Privacy,
  type PublicUser,
} from '@wayquest/contracts';
import type { ProfileDocument } from './profile.model.ts';

type Stored = Omit<ProfileDocument, 'outbox' | 'words'>;

/** What a person chose, or what holds for who has not. */
export const privacyOf = ({ privacy }: Pick<ProfileDocument, 'privacy'>): Privacy => ({
  ...openPrivacy,
  ...privacy,
});

/** To whom somebody shows what may be shown to some. */
export const shownToOf = (profile: Stored): { id: number; shownTo: Audience[] } => {
  const { name, town } = privacyOf(profile);
  return { id: profile._id, shownTo: [name, town] };
};

/** What a reader may see: as everybody, where nobody says who reads. */
export const presentPublic = (profile: Stored, reader: Audience = 'everybody'): PublicUser => {
  const { name, town } = privacyOf(profile);
  const showsName = isShownTo(name, reader);
  const showsTown = isShownTo(town, reader);
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

/** What its owner sees. */
export const presentMe = (profile: Stored): Me => ({
  ...presentPublic(profile, 'me'),
  email: profile.email,
  streetAddress: profile.streetAddress,
  zip: profile.zip,
  admin: profile.admin,
});

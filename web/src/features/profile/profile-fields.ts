import type { Me, ProfileUpdate } from '@wayquest/contracts';

/** The fields of a profile that its owner edits. */
export type ProfileFields = Required<ProfileUpdate>;

export const profileOf = (user: Me): ProfileFields => ({
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  streetAddress: user.streetAddress,
  city: user.city,
  state: user.state,
  zip: user.zip,
  email: user.email,
});

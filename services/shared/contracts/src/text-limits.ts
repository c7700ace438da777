/**
 * How long the texts of forms may be: in UTF-16 code units, as `String.length` counts, without white space at either end
 * (passwords: with it). The contracts and the forms share them, so that both count the same.
 */
export const textLimits = {
  challengeDescription: 2_000,
  challengeName: 120,
  city: 80,
  /** As a login takes it: a wrong one is merely refused. */
  currentPassword: 1_000,
  email: 200,
  firstName: 60,
  lastName: 60,
  locationName: 120,
  loginName: 200,
  message: 2_000,
  passkeyName: 60,
  password: 200,
  placeSearch: 160,
  /** Of a person's own address. */
  profileStreetAddress: 120,
  /** The text of a report, an appeal or a decision. */
  report: 500,
  requesterEmail: 254,
  search: 80,
  state: 40,
  /** Of a challenge. */
  streetAddress: 160,
  username: 30,
  zip: 12,
} as const;

/**
 * Maximum lengths of texts in UTF-16 code units (`String.length`), trimmed except for passwords. Shared by contracts and forms.
 */
export const textLimits = {
  challengeDescription: 2_000,
  challengeName: 120,
  city: 80,
  /** At login, where a malformed one is simply wrong. */
  currentPassword: 1_000,
  email: 200,
  firstName: 60,
  lastName: 60,
  locationName: 120,
  loginName: 200,
  message: 2_000,
  /** Of a completed challenge, in its log. */
  note: 280,
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

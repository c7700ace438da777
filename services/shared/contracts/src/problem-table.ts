/**
 * Every reason for which a call can fail: its HTTP status and a sentence for a person. The code is
 * stable; clients decide by it. Answered as problem+json (RFC 9457).
 */
export const problems = {
  'invalid-request': { status: 400, title: 'Something in this request is not right.' },
  unauthenticated: { status: 401, title: 'Please log in first.' },
  'invalid-token': { status: 401, title: 'Your session has ended. Please log in again.' },
  'invalid-credentials': { status: 401, title: 'That username and password do not match.' },
  'invalid-code': { status: 401, title: 'That sign-in has expired. Please try again.' },
  'invalid-link': {
    status: 401,
    title: 'That link was used already, or has run out. Please ask for a new one.',
  },
  suspended: { status: 401, title: 'Your account is suspended.' },
  'invalid-passkey': {
    status: 401,
    title: 'That passkey did not get you in. Please try again, or log in in another way.',
  },
  'puzzle-unsolved': {
    status: 403,
    title: 'Your browser did not finish its task in time. Please send it again.',
  },
  'password-needed': { status: 403, title: 'Please type your password for this.' },
  'login-again': {
    status: 403,
    title: 'Please log in again for this: it can be done in the first 15 minutes after that.',
  },
  forbidden: { status: 403, title: 'Only its owner may do that.' },
  'no-requests': { status: 403, title: 'They take no friend requests at the moment.' },
  'not-friends': { status: 403, title: 'Only friends can write to each other.' },
  'no-answer-yet': {
    status: 403,
    title: 'They have not answered yet. Please give them time to write before you write more.',
  },
  'admins-only': { status: 403, title: 'Only an admin may do that.' },
  'not-found': { status: 404, title: 'There is nothing at this address.' },
  'challenge-not-found': { status: 404, title: 'That challenge does not exist any more.' },
  'line-not-found': { status: 404, title: 'You are not part of that challenge.' },
  'user-not-found': {
    status: 404,
    title: 'There is no profile at this address: it was mistyped, or the account is gone.',
  },
  'session-not-found': { status: 404, title: 'You are not logged in there any more.' },
  'passkey-not-found': { status: 404, title: 'That passkey is not there any more.' },
  'friend-request-not-found': { status: 404, title: 'That friend request is not there any more.' },
  'conversation-not-found': { status: 404, title: 'There is no such conversation.' },
  'message-not-found': { status: 404, title: 'There is no such message in this conversation.' },
  'address-not-found': { status: 404, title: 'No address is known for that spot.' },
  'case-not-found': { status: 404, title: 'There is no such case.' },
  'method-not-allowed': { status: 405, title: 'That cannot be done at this address.' },
  'username-taken': { status: 409, title: 'That username is taken' },
  'not-set-up': { status: 409, title: 'That is not set up here.' },
  'google-in-use': { status: 409, title: 'That Google account belongs to another account here.' },
  'last-way-in': {
    status: 409,
    title: 'That is the last way into your account. Set a password or add another way in first.',
  },
  'too-many-passkeys': { status: 409, title: 'You have 20 passkeys. Remove one before you add another.' },
  'not-started': { status: 409, title: 'This challenge has not started yet.' },
  'check-in-needed': {
    status: 409,
    title:
      'This challenge asks for a check-in: complete it within 100 m of its place, with your position on.',
  },
  'challenge-hidden': { status: 409, title: 'This challenge is hidden while we look at it.' },
  'nothing-to-appeal': {
    status: 409,
    title: 'There is nothing to appeal against, or you have done so already.',
  },
  'nothing-to-decide': { status: 409, title: 'There is nothing to undo or to uphold in this case.' },
  'already-ended': { status: 409, title: 'This challenge has ended.' },
  'others-take-part': {
    status: 409,
    title: 'Others take part in it, so it cannot be deleted. You can close it.',
  },
  'already-completed': { status: 409, title: 'A completed challenge stays completed.' },
  'not-completed': { status: 409, title: 'Complete the challenge first; its points come then.' },
  'too-large': { status: 413, title: 'That is too large: a request may hold 1 MiB.' },
  'unsupported-image': { status: 415, title: 'Please choose a JPEG, PNG or WebP picture.' },
  'too-many-requests': { status: 429, title: 'That was a lot at once. Please wait a moment and try again.' },
  'enough-for-today': { status: 429, title: 'That was a lot for one day. Please go on tomorrow.' },
  'too-many-attempts': { status: 429, title: 'Too many attempts. Please wait a moment and try again.' },
  'internal-error': { status: 500, title: 'Something went wrong on our side. Please try again.' },
  'bad-gateway': { status: 502, title: 'A part of Wayquest gave no usable answer. Please try again.' },
  'service-unavailable': {
    status: 503,
    title: 'A part of Wayquest is resting. Please try again in a moment.',
  },
  'places-unavailable': {
    status: 503,
    title: 'Places and addresses cannot be looked up right now. Please try again in a moment.',
  },
  'gateway-timeout': { status: 504, title: 'A part of Wayquest took too long to answer. Please try again.' },
} as const;

export type ProblemCode = keyof typeof problems;

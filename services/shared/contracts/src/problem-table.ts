/**
 * All problem codes with HTTP status and a sentence for a person. Codes are stable, and clients decide by them. Sent as
 * problem+json (RFC 9457).
 */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is invalid.' },
  unauthenticated: { status: 401, title: 'Please log in first.' },
  'invalid-token': { status: 401, title: 'Your session has ended. Please log in again.' },
  'invalid-credentials': { status: 401, title: 'That username and password do not match.' },
  'invalid-code': { status: 401, title: 'That sign-in has expired. Please try again.' },
  'invalid-link': {
    status: 401,
    title: 'That link has already been used or has expired. Please request a new one.',
  },
  suspended: { status: 401, title: 'Your account is suspended.' },
  'invalid-passkey': {
    status: 401,
    title: "That passkey didn't work. Please try again, or log in another way.",
  },
  'unknown-passkey': {
    status: 401,
    title:
      'That passkey was removed from your account. Delete it on your device, and log in with another one or with your password.',
  },
  'puzzle-unsolved': {
    status: 403,
    title: "Your browser didn't finish its task in time. Please send it again.",
  },
  'password-required': { status: 403, title: 'Please confirm your password.' },
  'reauthentication-required': {
    status: 403,
    title: 'Please log in again. This requires a login within the last 15 minutes.',
  },
  forbidden: { status: 403, title: "You don't have permission to do that." },
  'friend-requests-disabled': { status: 403, title: "This user isn't accepting friend requests." },
  'not-friends': { status: 403, title: 'You can only message friends.' },
  'awaiting-reply': {
    status: 403,
    title: "They haven't replied yet. Please wait for a reply before you send more.",
  },
  'registration-closed': {
    status: 403,
    title: "This Wayquest doesn't take new members. If you have an account, please log in.",
  },
  'registration-full': {
    status: 403,
    title: 'Too many people are waiting for approval here. Please try again in a few days.',
  },
  'account-waiting': {
    status: 403,
    title: 'Your account is waiting for approval. An administrator looks at it, then you can log in.',
  },
  'invitation-required': {
    status: 403,
    title: 'You need an invitation to sign up here. Please open its link, or enter its code.',
  },
  'invitation-invalid': {
    status: 403,
    title: "That invitation has expired, has already been used or doesn't exist. Please ask for a new one.",
  },
  'openid-not-linked': {
    status: 403,
    title: "That login isn't linked to an account here. Log in another way, then link it in your settings.",
  },
  'password-login-off': {
    status: 403,
    title: 'Only admins log in with a password here. Please log in another way.',
  },
  'admins-only': { status: 403, title: 'Only admins can do that.' },
  'not-found': { status: 404, title: 'Page not found.' },
  'challenge-not-found': { status: 404, title: 'That challenge no longer exists.' },
  'participation-not-found': { status: 404, title: "You haven't joined that challenge." },
  'entry-not-found': { status: 404, title: 'That log entry no longer exists.' },
  'user-not-found': {
    status: 404,
    title: 'User not found. The link may be wrong, or the account was deleted.',
  },
  'session-not-found': { status: 404, title: 'That session has already ended.' },
  'passkey-not-found': { status: 404, title: 'That passkey no longer exists.' },
  'friend-request-not-found': { status: 404, title: 'That friend request no longer exists.' },
  'conversation-not-found': { status: 404, title: 'Conversation not found.' },
  'message-not-found': { status: 404, title: 'Message not found.' },
  'suggestion-not-found': { status: 404, title: 'That suggestion is no longer available.' },
  'address-not-found': { status: 404, title: 'No address found for that location.' },
  'invitation-not-found': { status: 404, title: 'That invitation no longer exists. It may have expired.' },
  'case-not-found': { status: 404, title: 'Case not found.' },
  'method-not-allowed': { status: 405, title: "That can't be done at this address." },
  'username-taken': { status: 409, title: 'That username is taken' },
  'message-too-old': { status: 409, title: 'A message can only be deleted within an hour.' },
  'not-configured': { status: 409, title: "That isn't available here." },
  'google-in-use': { status: 409, title: 'That Google account is linked to another Wayquest account.' },
  'openid-in-use': { status: 409, title: 'That login is linked to another Wayquest account.' },
  'last-login-method': {
    status: 409,
    title: "That's the only way to log in to your account. Set a password or add another way first.",
  },
  'account-not-waiting': {
    status: 409,
    title: "That account isn't waiting for approval. Somebody may have decided already.",
  },
  'own-rights': { status: 409, title: "You can't revoke your own admin rights. Another admin can." },
  'last-admin': { status: 409, title: "That's the only admin. Make somebody else an admin first." },
  'too-many-passkeys': { status: 409, title: 'You have 20 passkeys. Remove one before you add another.' },
  'not-started': { status: 409, title: 'This challenge has not started yet.' },
  'check-in-required': {
    status: 409,
    title:
      'This challenge requires a check-in. Turn on location, and complete it within 100 m (325 ft) of the place.',
  },
  'challenge-hidden': { status: 409, title: 'This challenge is hidden while we review it.' },
  'nothing-to-appeal': {
    status: 409,
    title: "There is nothing to appeal, or you've already appealed.",
  },
  'nothing-to-decide': { status: 409, title: 'There is no decision to reverse or uphold in this case.' },
  'already-ended': { status: 409, title: 'This challenge has ended.' },
  'completed-too-long-ago': {
    status: 409,
    title: 'A challenge that was completed offline has to be sent within 48 hours.',
  },
  'has-other-participants': {
    status: 409,
    title: "Others have joined this challenge, so it can't be deleted. You can close it instead.",
  },
  'already-completed': { status: 409, title: "You've already completed this challenge." },
  'not-completed': { status: 409, title: 'Complete the challenge first to earn its points.' },
  'not-completed-yet': {
    status: 409,
    title: 'Complete the challenge first. Then you can add a note and a photo.',
  },
  'own-entry': { status: 409, title: 'Only others can thank you for a completion.' },
  'entry-hidden': {
    status: 409,
    title: "Your note and photo were hidden after a report, so they can't be changed.",
  },
  'too-large': { status: 413, title: "That's too large. A request can be up to 1 MiB." },
  'unsupported-image': { status: 415, title: 'Please choose a JPEG, PNG or WebP picture.' },
  'range-not-satisfiable': { status: 416, title: 'The file has no such part. Please download all of it.' },
  'too-many-requests': { status: 429, title: 'Too many requests. Please wait a moment and try again.' },
  'daily-limit-reached': { status: 429, title: "You've reached today's limit. Please try again tomorrow." },
  'too-many-attempts': { status: 429, title: 'Too many attempts. Please wait a moment and try again.' },
  'internal-error': { status: 500, title: 'Something went wrong on our side. Please try again.' },
  'bad-gateway': { status: 502, title: 'Wayquest is temporarily unavailable. Please try again.' },
  'service-unavailable': {
    status: 503,
    title: 'Wayquest is temporarily unavailable. Please try again in a moment.',
  },
  'places-unavailable': {
    status: 503,
    title: "Places and addresses can't be looked up right now. Please try again in a moment.",
  },
  'openid-unavailable': {
    status: 503,
    title: "The page where you log in can't be reached right now. Please try again in a moment.",
  },
  'gateway-timeout': { status: 504, title: 'Wayquest took too long to respond. Please try again.' },
} as const;

export type ProblemCode = keyof typeof problems;

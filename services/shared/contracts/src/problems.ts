import type { ProblemDetails } from './problem-details.ts';

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
  'password-needed': { status: 403, title: 'Please type your password for this.' },
  'login-again': {
    status: 403,
    title: 'Please log in again for this: it can be done in the first 15 minutes after that.',
  },
  forbidden: { status: 403, title: 'Only its owner may do that.' },
  'not-friends': { status: 403, title: 'Only friends can write to each other.' },
  'admins-only': { status: 403, title: 'Only an admin may do that.' },
  'not-found': { status: 404, title: 'There is nothing at this address.' },
  'challenge-not-found': { status: 404, title: 'That challenge does not exist any more.' },
  'line-not-found': { status: 404, title: 'You are not part of that challenge.' },
  'user-not-found': {
    status: 404,
    title: 'There is no profile at this address: it was mistyped, or the account is gone.',
  },
  'session-not-found': { status: 404, title: 'You are not logged in there any more.' },
  'friend-request-not-found': { status: 404, title: 'That friend request is not there any more.' },
  'conversation-not-found': { status: 404, title: 'There is no such conversation.' },
  'message-not-found': { status: 404, title: 'There is no such message in this conversation.' },
  'address-not-found': { status: 404, title: 'No address is known for that spot.' },
  'username-taken': { status: 409, title: 'That username is taken' },
  'not-started': { status: 409, title: 'This challenge has not started yet.' },
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

/** What every call can answer beside its own problems. */
export const commonProblems: readonly ProblemCode[] = [
  'invalid-request',
  'invalid-token',
  'too-large',
  'too-many-requests',
  'internal-error',
  'bad-gateway',
  'service-unavailable',
  'gateway-timeout',
];

/** Where the code stands when the body is only a sentence. */
export const problemCodeHeader = 'problem-code';

/** A problem as one sentence for a person: its detail, else what is wrong with which field, else its title. */
export function problemSentence({
  title,
  detail,
  errors,
}: Pick<ProblemDetails, 'title' | 'detail' | 'errors'>): string {
  if (detail) return detail;
  if (!errors?.length) return title;
  const reasons = errors.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}.`;
}

/** An error's body, if a value is one: a person is told what it says. */
export function asProblem(value: unknown): ProblemDetails | undefined {
  const isOne = (body: unknown): body is ProblemDetails =>
    typeof body === 'object' &&
    body !== null &&
    'title' in body &&
    typeof body.title === 'string' &&
    'status' in body &&
    typeof body.status === 'number' &&
    'code' in body &&
    typeof body.code === 'string' &&
    Object.hasOwn(problems, body.code);
  return isOne(value) ? value : undefined;
}

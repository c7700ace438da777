import type { ProblemDetails } from './primitives.ts';
import { type ProblemCode, problems } from './problem-table.ts';

export * from './problem-table.ts';

/** Problems of every call, in addition to its own. */
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

/** Header with the problem code when the body is plain text. */
export const problemCodeHeader = 'problem-code';

/** A problem as a sentence for a person: its detail, else the invalid fields with their reasons, else its title. */
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

/** A value as problem details, if it is the body of an error. */
export function asProblem(value: unknown): ProblemDetails | undefined {
  const isProblemDetails = (body: unknown): body is ProblemDetails =>
    typeof body === 'object' &&
    body !== null &&
    'title' in body &&
    typeof body.title === 'string' &&
    'status' in body &&
    typeof body.status === 'number' &&
    'code' in body &&
    typeof body.code === 'string' &&
    Object.hasOwn(problems, body.code);
  return isProblemDetails(value) ? value : undefined;
}

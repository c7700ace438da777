import type { ProblemDetails } from './problem-details.ts';
import { type ProblemCode, problems } from './problem-table.ts';

export * from './problem-table.ts';

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

import { type ProblemCode, type ProblemDetails, problems } from '@wayquest/contracts';
import { isMongoUnavailable, isRedisUnavailable } from './unavailable.ts';

export interface ProblemOptions extends ErrorOptions {
  /** A more specific sentence than the problem's title. */
  detail?: string;
  errors?: ProblemDetails['errors'];
  retryAfterSeconds?: number;
}

/**
 * An error that is the response to a call; the HTTP app serializes it as problem+json (or as text, where a form shows
 * it).
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? problems[code].title, options);
    this.name = 'Problem';
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** The body of the response (RFC 9457). */
  toDetails(requestId?: string): ProblemDetails {
    const { status, title } = problems[this.code];
    const { detail, errors } = this.options;
    return {
      type: `urn:wayquest:problem:${this.code}`,
      title,
      status,
      code: this.code,
      ...(detail && { detail }),
      ...(errors && { errors }),
      ...(requestId && { requestId }),
    };
  }
}

/** When a caller may try again, in seconds: a store that was away is found again sooner. */
const unavailableRetrySeconds = 2;

/**
 * Returns the problem for an error: `service-unavailable` if MongoDB or Redis is unavailable or overloaded, else
 * `internal-error`.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isDependencyUnavailable = isMongoUnavailable(error) || isRedisUnavailable(error);
  return isDependencyUnavailable
    ? new Problem('service-unavailable', { cause: error, retryAfterSeconds: unavailableRetrySeconds })
    : new Problem('internal-error', { cause: error });
}

/** Whether an error is the problem with that code. */
export const isProblem = (error: unknown, code: ProblemCode): boolean =>
  error instanceof Problem && error.code === code;

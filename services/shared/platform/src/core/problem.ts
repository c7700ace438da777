import { type ProblemCode, type ProblemDetails, problems } from '@wayquest/contracts';
import { isMongoUnavailable, isRedisUnavailable } from './unavailable.ts';

export interface ProblemOptions extends ErrorOptions {
  /** A sentence for the person, better than the code's own. */
  detail?: string;
  errors?: ProblemDetails['errors'];
  retryAfterSeconds?: number;
}

/** Thrown wherever a call cannot be done; the HTTP app turns it into problem+json (or text, where a form shows it). */
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

  /** The body of the answer (RFC 9457). */
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

/** The problem that answers a call which ended with an error: `service-unavailable` if MongoDB or Redis is, else `internal-error`. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isDependencyUnavailable = isMongoUnavailable(error) || isRedisUnavailable(error);
  return new Problem(isDependencyUnavailable ? 'service-unavailable' : 'internal-error', { cause: error });
}

/** Whether an error is the problem with that code. */
export const isProblem = (error: unknown, code: ProblemCode): boolean =>
  error instanceof Problem && error.code === code;

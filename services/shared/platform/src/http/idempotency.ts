import { createHash, createHmac } from 'node:crypto';
import { IdempotencyKey, idempotencyKeyHeader, type Operation } from '@wayquest/contracts';
import type { Request } from 'express';
import { Problem } from '../core/problem.ts';

/** How long a key names what was made with it, in milliseconds. */
export const idempotencyMs = 24 * 60 * 60 * 1_000;

/**
 * What a call that creates something is known again by, kept with what it made. Neither tells the client's key or what was
 * in the body.
 */
export interface Idempotency {
  /** Of the client's key, the caller and the operation. */
  key: string;
  /** Of the body. */
  fingerprint: string;
}

const wrongKey = (reason: string) =>
  new Problem('invalid-request', { errors: [{ field: 'Idempotency-Key', reason }] });

/**
 * What a call is known again by; undefined where it has no `Idempotency-Key`, or creates nothing.
 *
 * @param called - The operation, who calls it (0 for nobody), and its content, as parsed.
 * @throws `invalid-request` for a key that is none.
 */
export function idempotencyOf(
  request: Pick<Request, 'get'>,
  { operation, callerId, content }: { operation: Operation; callerId: number; content: unknown },
): Idempotency | undefined {
  const given = request.get(idempotencyKeyHeader);
  if (!operation.creates || given === undefined) return undefined;
  const { error } = IdempotencyKey.safeParse(given);
  if (error) throw wrongKey(error.issues.map(({ message }) => message).join('; '));
  const scope = `${operation.method} ${operation.path} ${callerId} ${given}`;
  return {
    key: createHash('sha256').update(scope).digest('base64url'),
    fingerprint: createHmac('sha256', given)
      .update(JSON.stringify(content) ?? '')
      .digest('base64url'),
  };
}

/** Throws `invalid-request` where the key named a call with another body. */
export function requireSameContent(made: Pick<Idempotency, 'fingerprint'>, given: Idempotency): void {
  if (made.fingerprint !== given.fingerprint) throw wrongKey('was used with another body');
}

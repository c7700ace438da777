import { createHash, createHmac } from 'node:crypto';
import { IdempotencyKey, idempotencyKeyHeader, type Operation, operationUrl } from '@wayquest/contracts';
import type { Request } from 'express';
import { Problem } from '../core/problem.ts';

/** How long a key is recognized, in milliseconds. */
export const idempotencyMs = 24 * 60 * 60 * 1_000;

/** Recognizes a repeated call; stored with what the call created. It reveals neither the client's key nor the body. */
export interface Idempotency {
  /** Hash of the client's key, the caller and the operation. */
  key: string;
  /** Hash of the body. */
  fingerprint: string;
}

const wrongKey = (reason: string) =>
  new Problem('invalid-request', { errors: [{ field: 'Idempotency-Key', reason }] });

/**
 * Returns the idempotency data of a call; undefined without an `Idempotency-Key`, or for an operation that creates
 * nothing.
 *
 * @param call - The operation, the caller's id (0 without an account), and the parsed body.
 * @throws `invalid-request` for an invalid key.
 */
export function idempotencyOf(
  request: Pick<Request, 'get'>,
  { operation, callerId, content }: { operation: Operation; callerId: number; content: unknown },
): Idempotency | undefined {
  const key = request.get(idempotencyKeyHeader);
  if (!operation.creates || key === undefined) return undefined;
  const { error } = IdempotencyKey.safeParse(key);
  if (error) throw wrongKey(error.issues.map(({ message }) => message).join('; '));
  const scope = `${operation.method} ${operation.path} ${callerId} ${key}`;
  return {
    key: createHash('sha256').update(scope).digest('base64url'),
    fingerprint: createHmac('sha256', key)
      .update(JSON.stringify(content) ?? '')
      .digest('base64url'),
  };
}

/** Throws `invalid-request` if the key was used with another body. */
export function assertSameBody(stored: Pick<Idempotency, 'fingerprint'>, received: Idempotency): void {
  if (stored.fingerprint !== received.fingerprint) throw wrongKey('was used with another body');
}

interface PageRequest {
  operation: Operation;
  /** The path parameters. */
  params?: Record<string, unknown>;
  /** The validated query. */
  query: object;
  /** The page size; a shorter page is the last one. */
  limit: number;
}

/** The `Link` header (RFC 8288) to a list's next page; none after the last one. */
export function nextPageLink<T>(
  items: T[],
  { operation, params = {}, query, limit }: PageRequest,
  cursorOf: (last: T) => string | number,
): Record<string, string> {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return {};
  return nextLink(operationUrl(operation, { params, query: { ...query, cursor: cursorOf(last) } }));
}

/** The `Link` header with the cursor of the next page. */
export const nextLink = (url: string): Record<string, string> => ({ link: `<${url}>; rel="next"` });

import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';

/** Response header with the length of a whole list. */
export const totalCountHeader = 'x-total-count';

/**
 * Who may call an operation. A token, if sent, must be valid: an invalid one is rejected with 401 even on
 * `public` operations. `owner` means a member who owns what the path names; anyone else gets 403.
 */
export type Access = 'public' | 'member' | OwnerAccess | 'admin';
export type OwnerAccess = 'owner' | 'owner-or-admin';

export const serviceNames = [
  'auth',
  'users',
  'challenges',
  'participation',
  'friends',
  'chat',
  'notifications',
  'moderation',
  'places',
  'realtime',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The services with HTTP operations; realtime only uses sockets. */
export type HttpServiceName = Exclude<ServiceName, 'realtime'>;

/** The gateway serves some operations itself, without looking at a token. */
export type OperationOwner = HttpServiceName | 'gateway';

type Schema = z.ZodType;

/** Header that identifies a call and its repetitions. */
export const idempotencyKeyHeader = 'idempotency-key';

/** The definition of an HTTP call, used by services, gateway, documentation, clients and tests. */
export interface Operation {
  service: OperationOwner;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** OpenAPI path template: `/api/challenges/{id}`. */
  path: string;
  access: Access;
  summary: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** Media types of a file body; otherwise the body is JSON. */
  upload?: readonly string[];
  /** Status codes of success, the usual one first. */
  status: readonly [number, ...number[]];
  /** The JSON response; none for 204, redirects and files. */
  response?: Schema;
  /** Problem codes in addition to `commonProblems`. */
  problems: readonly ProblemCode[];
  /** How many calls it counts as for rate limits, by its cost. Default 1. */
  weight?: number;
  /** Errors as plain text instead of problem+json, for forms that show the response text (spec, section 8). */
  plainTextErrors?: true;
  /** Media type of a file response, which the typed client returns as a Blob. */
  file?: string;
  /**
   * It creates something, and accepts an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a repeated call with the
   * same key within a day creates nothing and returns what the first one created.
   */
  creates?: true;
  /** The operations whose results it makes outdated: a client that shows one of them loads it again. */
  invalidates?: readonly string[];
  /**
   * Called by services on behalf of a user, and not served by the gateway. It accepts a token whose session has ended since: a job
   * that a user started goes on when they log out.
   */
  internal?: true;
  /** A browser navigates here: the response is a redirect or a file, and the typed client has no such call. */
  navigation?: true;
}

/**
 * What a client reads of an operation. The web app's build derives its table of operations from this list, so that the client
 * cannot read a field that the build leaves out.
 */
export const clientFields = [
  'method',
  'path',
  'status',
  'response',
  'file',
  'plainTextErrors',
  'creates',
  'invalidates',
] as const satisfies readonly (keyof Operation)[];

/** An operation for a client, which needs no schema, only something that tells our responses from those of others. */
export type ClientOperation = Pick<Operation, Exclude<(typeof clientFields)[number], 'response'>> & {
  response?: { safeParse(body: unknown): { success: boolean; data?: unknown } };
};

/** Keeps an operation's literal types, so that clients and routes are typed from the table. */
export const operation = <const O extends Operation>(definition: O): O => definition;

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

/** The input of a handler, after validation. */
export interface OperationRequest<O extends Operation> {
  params: Output<O['params']>;
  query: Output<O['query']>;
  body: Output<O['body']>;
}

/** A URL contains only text, so a number may be passed where text is expected. */
type InUrl<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] };

/** The input of a client call: only the parts that the operation declares. */
export type OperationInput<O extends Operation> = (O extends { params: infer S }
  ? { params: InUrl<Input<S>> }
  : object) &
  (O extends { query: infer S } ? { query?: InUrl<Input<S>> } : object) &
  (O extends { body: infer S } ? { body: Input<S> } : object);

/** The output of a handler. */
export type OperationResponse<O extends Operation> = O extends { response: infer S } ? Input<S> : undefined;

/** The output of a client call. */
export type OperationResult<O extends Operation> = O extends { response: infer S }
  ? Output<S>
  : O extends { file: string }
    ? Blob
    : undefined;

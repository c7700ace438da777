import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call an operation. A token that is sent must be good everywhere: a bad one is 401, also on
 * `public`. `owner` means a member who owns what the path names; anyone else gets 403.
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

/** The services that answer operations; realtime speaks over sockets alone. */
export type HttpServiceName = Exclude<ServiceName, 'realtime'>;

/** The gateway answers some itself, alike for everybody: it looks at no token. */
export type OperationOwner = HttpServiceName | 'gateway';

type Schema = z.ZodType;

/** Where a call says that it may be a repeat of an earlier one. */
export const idempotencyKeyHeader = 'idempotency-key';

/** One HTTP call: all that services, gateway, documentation, clients and tests know about it. */
export interface Operation {
  service: OperationOwner;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In OpenAPI's form: `/api/challenges/{id}`. */
  path: string;
  access: Access;
  summary: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The media types of a body that is a file and goes as it is; a body is JSON otherwise. */
  upload?: readonly string[];
  /** The statuses of success, the usual one first. */
  status: readonly [number, ...number[]];
  /** The JSON answer; none for 204, for redirects and for files. */
  answer?: Schema;
  /** Problem codes beside those that any call can meet (see `commonProblems`). */
  problems: readonly ProblemCode[];
  /** How many calls it counts for where they are limited, by what it costs to answer; one if not said. */
  weight?: number;
  /** Failures as plain text instead of problem+json, for forms that show the response text. */
  plainTextErrors?: true;
  /** The media type of an answer that is a file; the typed client has it as a blob. */
  file?: string;
  /**
   * It makes something new. It takes an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): repeated with the
   * same key within a day, it makes nothing more and is answered with what the first one made.
   */
  creates?: true;
  /** Services call it in somebody's name; no page does. */
  byServices?: true;
  /** A browser navigates here; the answer is a redirect or a file and not for the typed client. */
  navigation?: true;
}

/** Keeps an operation's literal types, so that clients and routes are typed from the table. */
export const operation = <const O extends Operation>(definition: O): O => definition;

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler is given, after validation. */
export interface OperationRequest<O extends Operation> {
  params: Output<O['params']>;
  query: Output<O['query']>;
  body: Output<O['body']>;
}

/** In an address everything becomes text, so a number may stand where text is expected. */
type InAddress<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] };

/** What a client sends: only the parts the operation declares. */
export type OperationInput<O extends Operation> = (O extends { params: infer S }
  ? { params: InAddress<Input<S>> }
  : object) &
  (O extends { query: infer S } ? { query?: InAddress<Input<S>> } : object) &
  (O extends { body: infer S } ? { body: Input<S> } : object);

/** What a handler returns. */
export type OperationAnswer<O extends Operation> = O extends { answer: infer S } ? Input<S> : undefined;

/** What a client receives. */
export type OperationResult<O extends Operation> = O extends { answer: infer S }
  ? Output<S>
  : O extends { file: string }
    ? Blob
    : undefined;

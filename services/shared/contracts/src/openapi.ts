import { z } from 'zod';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { IdempotencyKey, ProblemDetails } from './primitives.ts';
import { commonProblems, problems } from './problems.ts';

type Json = Record<string, unknown>;

/** The named schemas of all operations, collected while the document is generated. */
const components: Record<string, unknown> = {};

/** A schema as JSON Schema 2020-12 (used by OpenAPI 3.1); its named parts go to `components`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...ownSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const { $defs, ...rest }: Json = JSON.parse(
    JSON.stringify(ownSchema).replaceAll('#/$defs/', '#/components/schemas/'),
  );
  Object.assign(components, $defs);
  return rest;
}

const stringList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined) {
  if (!schema) return [];
  const { properties, required } = schemaOf(schema, 'input');
  return Object.entries(properties ?? {}).map(([name, parameter]) => ({
    name,
    in: place,
    required: stringList(required).includes(name),
    schema: parameter,
  }));
}

const idempotencyKey = () => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: schemaOf(IdempotencyKey, 'input'),
});

function contentOf({ upload }: Operation, body: z.ZodType) {
  if (!upload) return { 'application/json': { schema: schemaOf(body, 'input') } };
  return Object.fromEntries(upload.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

function responsesOf({ status, response, problems: ownProblems, access, plainTextErrors }: Operation) {
  const success = status.map((code) => [
    code,
    {
      description: code === 302 ? 'Redirect' : 'Success',
      ...(response && { content: { 'application/json': { schema: schemaOf(response, 'output') } } }),
    },
  ]);
  const codes = [
    ...ownProblems,
    ...commonProblems,
    ...(access === 'public' ? [] : (['unauthenticated'] as const)),
  ];
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort();
  const failures = statuses.map((failure) => {
    const reasons = [...new Set(codes)].filter((code) => problems[code].status === failure);
    const description = reasons.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n\n');
    const content = plainTextErrors
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/problem+json': { schema: schemaOf(ProblemDetails, 'output') } };
    return [failure, { description, content }];
  });
  return Object.fromEntries([...success, ...failures]);
}

/** The table of operations as an OpenAPI 3.1 document. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    const { method, path, service, summary, access, params, query, body, creates } = operation;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      operationId,
      tags: [service],
      summary,
      description: `Access: ${access}.`,
      parameters: [
        ...parametersOf('path', params),
        ...parametersOf('query', query),
        ...(creates ? [idempotencyKey()] : []),
      ],
      ...(body && { requestBody: { required: true, content: contentOf(operation, body) } }),
      security: access === 'public' ? [{}, { token: [] }] : [{ token: [] }],
      responses: responsesOf(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wayquest',
      version: '1',
      description:
        'Errors are problem+json (RFC 9457) with a stable `code`. Times are ISO 8601 in UTC. A status of 500 or above, or no response, does not say whether the call took effect: repeat one that creates something with the same `Idempotency-Key` (a message with the same `clientId`), and nothing is created twice.',
    },
    servers: [{ url: '/' }],
    components: {
      schemas: components,
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'authorization' } },
    },
    paths,
  };
}

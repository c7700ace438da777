import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
}

/** Values of broken or malicious clients, used in any place. */
const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '‮',
    '1; drop table',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    -1,
    0,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    { $gt: '' },
    { $where: 'sleep(1000)' },
    { $ne: null },
    [{ $gt: '' }],
    { toString: 1, valueOf: 1 },
    { constructor: { prototype: { admin: true } } },
    JSON.parse('{"__proto__":{"admin":true}}'),
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.nat({ max: 20_000 }).map((length) => 'x'.repeat(length)),
  fc.jsonValue({ maxDepth: 3 }),
);

const text = (pattern: string | undefined): Arbitrary<unknown> =>
  fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('easy', 'Hard', '2026-05-01', '2026-02-30', '11368', 'ann@example.org', '7'),
    ...(pattern?.match(/^\^[\w\\[\]{}.,$()-]*$/) ? [fc.stringMatching(new RegExp(pattern))] : []),
  );

/** Generates values of a JSON Schema, sometimes with hostile parts or missing keys. */
function values(schema: JsonSchema, definitions: Record<string, JsonSchema>): Arbitrary<unknown> {
  const valid = (): Arbitrary<unknown> => {
    if (schema.$ref) return values(definitions[schema.$ref.replace('#/$defs/', '')] ?? {}, definitions);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => values(option, definitions)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if ('const' in schema) return fc.constant(schema.const);
    switch (schema.type) {
      case 'string':
        return text(schema.pattern);
      case 'integer':
      case 'number':
        return fc.oneof(fc.integer({ min: -5, max: 150 }), fc.double(), fc.maxSafeInteger());
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(values(schema.items ?? {}, definitions), { maxLength: 5 });
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, property]) => [
              name,
              values(property, definitions),
            ]),
          ),
          { requiredKeys: [] },
        );
      default:
        return hostile;
    }
  };
  return fc.oneof({ weight: 6, arbitrary: valid() }, { weight: 1, arbitrary: hostile });
}

/** Generates almost valid inputs of a schema, which pass some checks and fail others. */
export function inputsOf(schema: z.ZodType): Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return values(json, json.$defs ?? {});
}

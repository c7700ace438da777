import { z } from 'zod';

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  /** The schema of a record's values. */
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
}

/** Returns the paths of all keys in raw JSON that a contract does not declare, at any depth. */
export function undeclaredKeys(contract: z.ZodType, raw: unknown): string[] {
  const root: JsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(contract, { io: 'output' })));

  const visit = (schema: JsonSchema, value: unknown, path: string): string[] => {
    if (schema.$ref) return visit(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, value, path);
    if (schema.anyOf) {
      const found = schema.anyOf.map((option) => visit(option, value, path));
      return found.reduce((fewest, some) => (some.length < fewest.length ? some : fewest));
    }
    if (Array.isArray(value)) {
      return value.flatMap((item, n) =>
        visit(schema.prefixItems?.[n] ?? schema.items ?? {}, item, `${path}[]`),
      );
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, part]) => {
      const { properties, additionalProperties: recordValues } = schema;
      if (typeof recordValues === 'object') return [];
      const declared = properties?.[key];
      return declared ? visit(declared, part, `${path}.${key}`) : [`${path}.${key}`];
    });
  };

  return visit(root, raw, '');
}

/** Counts the keys in raw JSON, at any depth. */
export function countKeys(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null) return 0;
  const own = Array.isArray(raw) ? 0 : Object.keys(raw).length;
  return Object.values(raw).reduce((sum: number, part) => sum + countKeys(part), own);
}

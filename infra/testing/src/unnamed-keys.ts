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

/** Returns the paths of all keys in raw JSON that a contract does not name, at any depth. */
export function unnamedKeys(contract: z.ZodType, raw: unknown): string[] {
  const root: JsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(contract, { io: 'output' })));

  const look = (schema: JsonSchema, value: unknown, path: string): string[] => {
    if (schema.$ref) return look(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, value, path);
    if (schema.anyOf) {
      const found = schema.anyOf.map((option) => look(option, value, path));
      return found.reduce((fewest, some) => (some.length < fewest.length ? some : fewest));
    }
    if (Array.isArray(value)) {
      return value.flatMap((item, n) =>
        look(schema.prefixItems?.[n] ?? schema.items ?? {}, item, `${path}[]`),
      );
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, part]) => {
      const { properties, additionalProperties: any } = schema;
      if (typeof any === 'object') return [];
      const named = properties?.[key];
      return named ? look(named, part, `${path}.${key}`) : [`${path}.${key}`];
    });
  };

  return look(root, raw, '');
}

/** Counts the keys in raw JSON, at any depth. */
export function countKeys(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null) return 0;
  const own = Array.isArray(raw) ? 0 : Object.keys(raw).length;
  return Object.values(raw).reduce((sum: number, part) => sum + countKeys(part), own);
}

import { MongoClient } from 'mongodb';
import { z } from 'zod';
import type { BackingKind } from './backing/backing-service.ts';
import { findBackingAddress } from './backing.ts';

const variable = 'WAYQUEST_TEST_MONGO_URL';

/**
 * Runs the suites of a test file on one kind of store: the product has to work on each. If this machine has none, they
 * are skipped, and counted as skipped.
 */
export async function onStore(kind: Extract<BackingKind, 'mongodb' | 'embedded-store'>): Promise<void> {
  const url = await findBackingAddress(kind);
  if (url) process.env[variable] = url;
  else Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
}

/** Returns the store's URL that the test run set for this test file; undefined outside of a run. */
export const assignedStoreUrl = (): string | undefined => process.env[variable];

/** Returns the URL of the store that this test file uses. */
export function storeUrl(): string {
  const url = assignedStoreUrl();
  if (!url) throw new Error('no store is configured: run the tests with `npx jest`');
  return url;
}

/** Creates databases as an earlier version may have left them, with a collection that is not used any more. */
export async function addFormerCollections(url: string, names: string[]): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    for (const name of names) await client.db(name).createCollection('former');
  } finally {
    await client.close();
  }
}

/** Drops a test's databases on a shared store. */
export async function dropDatabases(url: string, names: string[]): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  /** A discriminated union. */
  oneOf?: JsonSchema[];
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
    const options = schema.anyOf ?? schema.oneOf;
    if (options) {
      const found = options.map((option) => visit(option, value, path));
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

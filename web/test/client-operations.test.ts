import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientOperation, clientFields, type Operation, operations } from '@wayquest/contracts';
import { clientOperationsSource, isCalled } from '../build/client-operations.ts';

/** The table of operations as it is built into the web app, instead of the contracts' own. */
const builtTable = async (): Promise<Record<string, ClientOperation>> =>
  (await import(`data:text/javascript,${encodeURIComponent(await clientOperationsSource())}`)).operations;

const called = Object.entries<Operation>(operations).filter(([, operation]) => isCalled(operation));

/** What the client reads; of a schema, only that there is one. */
const fieldsOf = (operation: ClientOperation) =>
  Object.fromEntries(
    clientFields.map((field) => [field, field === 'response' ? 'response' in operation : operation[field]]),
  );

const allFieldsOf = (table: Iterable<readonly [string, ClientOperation]>) =>
  Object.fromEntries([...table].map(([name, operation]) => [name, fieldsOf(operation)]));

it('builds the table of operations with each field that the client reads, as in the contracts (Z1)', async () => {
  expect(allFieldsOf(Object.entries(await builtTable()))).toEqual(allFieldsOf(called));
});

it('builds each operation that the sources of the web app name', async () => {
  const folder = join(import.meta.dirname, '../src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = sources.flatMap((source) => [...source.matchAll(/\b(?:api|client)\)?\.(\w+)\(/g)]);
  const names = named.map(([, name = '']) => name).filter((name) => name in operations);
  expect(names.length).toBeGreaterThan(50);
  const built = await builtTable();
  expect(names.filter((name) => !(name in built))).toEqual([]);
});

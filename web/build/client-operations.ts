import { fileURLToPath } from 'node:url';
import type { Operation } from '@wayquest/contracts';
import { type Plugin, runnerImport } from 'vite';

type Contracts = Pick<typeof import('@wayquest/contracts'), 'operations' | 'problems' | 'clientFields'>;

const contractsFile = (name: string) =>
  fileURLToPath(new URL(`../../services/shared/contracts/src/${name}.ts`, import.meta.url));
const table = contractsFile('operations');
const definition = contractsFile('operation');
const problemTable = contractsFile('problem-table');

/** Whether the web app may call an operation; some are for services, navigation or other programs. */
export const isCalled = ({ internal, navigation, path }: Operation): boolean =>
  !internal && !navigation && !path.startsWith('/.well-known/');

/** The only problem whose title the web app itself shows; the others arrive with their title. */
const ownProblem = 'bad-gateway';

async function problemCodes() {
  const { problems } = (await runnerImport<Contracts>(problemTable)).module;
  const statuses = Object.keys(problems).map((code) => [
    code,
    code === ownProblem ? { title: problems[ownProblem].title } : 0,
  ]);
  return `export const problems = ${JSON.stringify(Object.fromEntries(statuses))};`;
}

/** Replaces schemas: enough to distinguish our responses from those of a proxy or a hotspot. */
const kinds = `
const kind = (is) => ({ safeParse: (data) => ({ success: is(data), data }) });
const list = kind(Array.isArray);
const json = kind((data) => data !== undefined);
const having = (key) => kind((data) => data instanceof Object && key in data);`;

interface Schema {
  def: { type: string; shape?: Record<string, Schema> };
}

/** A list, an object by the first key that each has, or anything. */
function kindOf({ def: { type, shape = {} } }: Schema): string {
  if (type === 'array') return 'list';
  const [key] = Object.entries(shape).find(([, value]) => value.def.type !== 'optional') ?? [];
  return key ? `having('${key}')` : 'json';
}

/** The source of an operation, with each field that the client reads. */
function sourceOf(operation: Operation, clientFields: Contracts['clientFields']): string {
  const fields = clientFields.flatMap((field) => {
    const { [field]: value, response } = operation;
    if (value === undefined) return [];
    const source = field === 'response' && response ? kindOf(response) : JSON.stringify(value);
    return `${field}: ${source}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** The source of the module that replaces the contracts' table of operations: those that the web app may call. */
export async function clientOperationsSource(): Promise<string> {
  const { operations } = (await runnerImport<Contracts>(table)).module;
  const { clientFields } = (await runnerImport<Contracts>(definition)).module;
  const called = Object.entries<Operation>(operations).filter(([, operation]) => isCalled(operation));
  const lines = called.map(([name, operation]) => `${name}: ${sourceOf(operation, clientFields)},`);
  return `${kinds}\nexport const operations = {\n${lines.join('\n')}\n};`;
}

/**
 * Replaces the operations and problems of the contracts by what the client needs to call them. Schemas are left out, since
 * services validate their responses (ADR 26), and so are the titles of problems, which arrive with each response.
 */
export function clientOperations(): Plugin {
  return {
    name: 'wayquest:client-operations',
    enforce: 'pre',
    async load(id) {
      if (id === problemTable) return problemCodes();
      return id === table ? clientOperationsSource() : null;
    },
  };
}

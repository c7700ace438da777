import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

type Contracts = Pick<typeof import('@wayquest/contracts'), 'operations' | 'problems'>;

const sourceOf = (name: string) =>
  fileURLToPath(new URL(`../../services/shared/contracts/src/${name}.ts`, import.meta.url));
const table = sourceOf('operations');
const problemTable = sourceOf('problem-table');

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
      if (id !== table) return null;
      const { operations } = (await runnerImport<Contracts>(table)).module;
      const lines = Object.entries(operations).flatMap(([name, operation]) => {
        if ('internal' in operation || 'navigation' in operation) return [];
        const { method, path } = operation;
        // For other programs than the web app.
        if (path.startsWith('/.well-known/')) return [];
        const response = 'response' in operation ? `, response: ${kindOf(operation.response)}` : '';
        const file = 'file' in operation ? `, file: '${operation.file}'` : '';
        const status = response || file ? '' : `, status: [${operation.status}]`;
        return [`${name}: { method: '${method}', path: '${path}'${response}${file}${status} },`];
      });
      return `${kinds}\nexport const operations = {\n${lines.join('\n')}\n};`;
    },
  };
}

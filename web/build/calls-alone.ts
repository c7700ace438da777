import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

type Contracts = Pick<typeof import('@wayquest/contracts'), 'operations'>;

const table = fileURLToPath(new URL('../../services/shared/contracts/src/operations.ts', import.meta.url));

/**
 * Browsers get of the table of operations what a call needs, and not the schemas: every answer has been held to its
 * contract where it comes from (ADR 26).
 */
export function callsAlone(): Plugin {
  return {
    name: 'wayquest:calls-alone',
    enforce: 'pre',
    async load(id) {
      if (id !== table) return null;
      const { operations } = (await runnerImport<Contracts>(table)).module;
      const lines = Object.entries(operations).map(([name, operation]) => {
        const { method, path } = operation;
        const answer = 'answer' in operation && operation.answer ? ', answer' : '';
        return `${name}: { method: '${method}', path: '${path}'${answer} },`;
      });
      return `const answer = { parse: (body) => body };\nexport const operations = {\n${lines.join('\n')}\n};`;
    },
  };
}

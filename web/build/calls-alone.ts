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
      const made = new Set<string>();
      const lines = Object.entries(operations).flatMap(([name, operation]) => {
        const { method, path } = operation;
        // A browser goes there by itself.
        if ('navigation' in operation) return [];
        const answers = 'answer' in operation && operation.answer;
        const make = answers ? `${method}_answer` : method;
        made.add(`const ${make} = (path) => ({ method: '${method}', path${answers ? ', answer' : ''} });`);
        return `${name}: ${make}('${path}'),`;
      });
      return `const answer = { parse: (body) => body };
${[...made].join('\n')}
export const operations = {
${lines.join('\n')}
};`;
    },
  };
}

import { afterEach, beforeEach } from 'node:test';

const hasFailed = (context: object): boolean => 'passed' in context && context.passed === false;

// Lets a test that fails under `node --test` say what the parts of its networks complained of: importing it is enough.
beforeEach(() => globalThis.wayquestLines?.begin());
afterEach((context) => {
  const complaints = hasFailed(context) && globalThis.wayquestLines?.complaints();
  if (complaints) process.stderr.write(`${complaints}\n`);
});

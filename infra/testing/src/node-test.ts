import { afterEach, beforeEach } from 'node:test';

const hasFailed = (context: object): boolean => 'passed' in context && context.passed === false;

// Lets a test that fails under `node --test` say what the parts of its networks complained of: importing it is enough.
beforeEach(() => globalThis.wayquestLines?.begin());
afterEach((context) => {
  const consoleErrors = hasFailed(context) && globalThis.wayquestLines?.consoleErrors();
  if (consoleErrors) process.stderr.write(`${consoleErrors}\n`);
});

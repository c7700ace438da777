import { afterEach, beforeEach } from 'node:test';

const hasFailed = (context: object): boolean => 'passed' in context && context.passed === false;

// Adds the warnings of networks' parts to failed tests of `node --test`, when it is imported.
beforeEach(() => globalThis.wayquestLines?.begin());
afterEach((context) => {
  const consoleErrors = hasFailed(context) && globalThis.wayquestLines?.consoleErrors();
  if (consoleErrors) process.stderr.write(`${consoleErrors}\n`);
});

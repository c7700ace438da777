import { afterEach, beforeEach } from 'node:test';

const hasFailed = (context: object): boolean => 'passed' in context && context.passed === false;

// Adds the warnings of networks' parts to failed tests of `node --test`, when it is imported.
beforeEach(() => globalThis.wayquestLines?.clearWarnings());
afterEach((context) => {
  const warnings = hasFailed(context) && globalThis.wayquestLines?.warnings();
  if (warnings) process.stderr.write(`${warnings}\n`);
});

// jest-worker requires its module, and what runs a test file is a native module.
const testFile = import('./test-file.ts');

/** @type {typeof import('./test-file.ts').setup} */
exports.setup = async (...args) => (await testFile).setup(...args);

/** @type {typeof import('./test-file.ts').run} */
exports.run = async (...args) => (await testFile).run(...args);

/** The files named on the command line, with the reporter of the real run. */
export default {
  testMatch: ['**/*.fixture.cjs'],
  reporters: ['<rootDir>/../../src/jest/closing-line.ts'],
};

import config from '../second-try/jest.config.js';

/** Runs all fixtures of this folder, without a reporter: the caller reads `--json`. */
export default {
  ...config,
  projects: config.projects.map((project) => ({
    ...project,
    testMatch: [`${import.meta.dirname}/**/*.fixture.ts`],
  })),
  reporters: [],
  // Not before the fixtures say so.
  testTimeout: 60_000,
};

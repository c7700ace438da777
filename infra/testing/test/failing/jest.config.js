import config, { project } from '../../../../jest.config.js';

/** Runs the failing fixture with the configuration of the real run. */
export default {
  ...config,
  projects: [{ ...project, testMatch: [`${import.meta.dirname}/jest.fixture.ts`] }],
};

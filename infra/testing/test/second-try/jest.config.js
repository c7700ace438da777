import config, { project } from '../../../../jest.config.js';

const [runner] = project.runner;

/** Runs the files named on the command line, with the reporter of the real run, and without backing services. */
export default {
  ...config,
  ...{ globalSetup: undefined, globalTeardown: undefined },
  projects: [
    { ...project, displayName: 'fixtures', testMatch: [`${import.meta.dirname}/*.fixture.ts`], runner },
  ],
  reporters: config.reporters.slice(1),
};

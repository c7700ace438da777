import { availableParallelism } from 'node:os';

const testing = '<rootDir>/infra/testing/src';

/** What all suites share: native ESM, TypeScript through swc, packages resolved to their sources. */
const project = {
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: `${testing}/jest/environment.ts`,
  testEnvironmentOptions: { customExportConditions: ['@wayquest/source', 'node', 'node-addons'] },
};

const inFolders = (folders, kind = '') =>
  ['ts', 'tsx'].map((extension) => `<rootDir>/${folders}/test/**/*.${kind}test.${extension}`);

/**
 * Which run this is. Each is a make target; CONTRIBUTING.md says what belongs where.
 * - `deterministic`: everything that needs nothing but Node (and Chromium), on the embedded store and the in-process bus.
 * - `integration`: `*.integration.test.ts`, and the suites below once more on MongoDB.
 * - `long`: `*.long.test.ts`, at random and for minutes.
 * Without one, whatever is named on the command line runs on the embedded store, or on `WAYQUEST_TEST_STORE`.
 */
const run = process.env.WAYQUEST_TEST_RUN || undefined;

const notHere = { deterministic: ['\\.(integration|long)\\.test\\.'] }[run] ?? [];
const only = { integration: 'integration.', long: 'long.' }[run] ?? '';

const embedded = {
  ...project,
  displayName: 'embedded store',
  testMatch: inFolders('**', only),
  testPathIgnorePatterns: [...project.testPathIgnorePatterns, ...notHere],
  setupFilesAfterEnv: [`${testing}/jest/on-embedded-store.ts`],
};

/** The suites that exercise what a store does differently: unique keys, races, sorting, paging, text and geography. */
const onMongoDb = [
  'infra/testing/test/forgotten.integration',
  'services/auth/test/accounts',
  'services/challenges/test/(challenges|in-view)',
  'services/chat/test/(chat|instances)',
  'services/friends/test/(friends|races)',
  'services/notifications/test/notifications',
  'services/participation/test/(lines|races)',
  'services/shared/platform/test/(id-allocator|outbox|replicas|revocations|user-replica)',
  'services/users/test/(leaderboard|points|profiles|races)',
];

const mongodb = {
  ...project,
  displayName: 'MongoDB',
  testMatch: [
    ...inFolders('{services/*,services/shared/platform}'),
    // What an erased account leaves behind is looked for in each store.
    '<rootDir>/infra/testing/test/forgotten.integration.test.ts',
  ],
  testPathIgnorePatterns: [
    ...project.testPathIgnorePatterns,
    ...(run === 'integration' ? [`^(?!.*/(${onMongoDb.join('|')})\\.test\\.)`] : []),
  ],
  setupFilesAfterEnv: [`${testing}/jest/on-mongodb.ts`],
};

const store = process.env.WAYQUEST_TEST_STORE || (run === 'integration' ? 'both' : 'embedded');

export default {
  projects: [...(store === 'mongodb' ? [] : [embedded]), ...(store === 'embedded' ? [] : [mongodb])],
  globalSetup: `${testing}/jest/global-setup.ts`,
  globalTeardown: `${testing}/jest/global-teardown.ts`,
  testSequencer: `${testing}/jest/container-suites-last.cjs`,
  reporters: ['default', `${testing}/jest/closing-line.ts`],
  // Patience only: what has to be quick says so itself, and machines differ.
  testTimeout: 120_000,
  // Suites wait more than they compute; jest's own choice on two cores would be one at a time.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Tests of one file that may go on at the same time, such as pages in a browser.
  maxConcurrency: 2,
  workerIdleMemoryLimit: '1GB',
  // A test that failed half way leaves servers and timers behind; they must not keep the run from ending.
  forceExit: true,
};

import { availableParallelism } from 'node:os';

const testing = '<rootDir>/infra/testing/src';

/** One runner for every suite: native ESM, TypeScript through swc, packages resolved to their sources. */
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

const tests = ['test/**/*.test.ts', 'test/**/*.test.tsx'];
const inFolders = (...folders) =>
  folders.flatMap((folder) => tests.map((test) => `<rootDir>/${folder}/${test}`));

/** Everything runs on the store that comes with Wayquest; what uses a store runs on MongoDB too. */
const stores = {
  embedded: {
    ...project,
    displayName: 'embedded store',
    testMatch: inFolders('**'),
    setupFilesAfterEnv: [`${testing}/jest/on-embedded-store.ts`],
  },
  mongodb: {
    ...project,
    displayName: 'MongoDB',
    // Not what asks nothing of a store that another does not.
    testPathIgnorePatterns: [
      ...project.testPathIgnorePatterns,
      'platform/test/(.*bus.*|rabbitmq-.*|dead-letters|http-app|logging|settings|token-.*)',
      'auth/test/(google|limits|security-events|settings|tokens)',
      'places/test/(locating|outside|settings)',
      'services/realtime/',
      '(chat|notifications)/test/costs',
      'notifications/test/(deliveries|push)',
    ],
    testMatch: [
      ...inFolders('services/*', 'services/shared/platform'),
      // Of the gateway's, what puts something odd into every store.
      '<rootDir>/gateway/test/hostile-bodies.test.ts',
    ],
    setupFilesAfterEnv: [`${testing}/jest/on-mongodb.ts`],
  },
};

const chosen = process.env.WAYQUEST_TEST_STORE || 'both';

// With everything, not those that do long at random what others there do once: they run on the embedded store.
if (chosen === 'both')
  stores.mongodb.testPathIgnorePatterns.push(
    'hostile-bodies',
    'test/deliveries',
    'retellings',
    'test/rebuild',
  );

export default {
  projects: Object.entries(stores).flatMap(([name, store]) =>
    chosen === name || chosen === 'both' ? [store] : [],
  ),
  globalSetup: `${testing}/jest/global-setup.ts`,
  globalTeardown: `${testing}/jest/global-teardown.ts`,
  testSequencer: `${testing}/jest/disturbing-last.cjs`,
  reporters: ['default', `${testing}/jest/closing-line.ts`],
  testTimeout: 30_000,
  // Suites wait more than they compute; jest's own choice on two cores would be one at a time.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Tests of one file that may go on at the same time, such as pages in a browser.
  maxConcurrency: 2,
  workerIdleMemoryLimit: '1GB',
  // A test that failed half way leaves servers and timers behind; they must not keep the run from ending.
  forceExit: true,
};

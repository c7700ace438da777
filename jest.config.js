import { availableParallelism } from 'node:os';
import { register } from 'tsx/esm/api';

// What Jest loads of ours is TypeScript.
register();

const testing = `${import.meta.dirname}/infra/testing/src/jest`;

/**
 * Which run this is. Each is a make target; CONTRIBUTING.md says what belongs where.
 * - `deterministic`: everything that needs nothing but Node (and Chromium), on the embedded store and the in-process bus.
 * - `integration`: `*.integration.test.ts`, and the suites below once more on MongoDB.
 * - `long`: `*.long.test.ts` and the suites that generate inputs, at random and for minutes.
 * Without one, whatever is named on the command line runs on the embedded store, or on `WAYQUEST_TEST_STORE`.
 */
const run = process.env.WAYQUEST_TEST_RUN;

/** @param {string} folders @param {string} [names] */
const testFiles = (folders, names = '*') => `<rootDir>/${folders}/test/**/${names}.test.{ts,tsx}`;

/** Suites that generate inputs: few that are always the same, and in the long run many of a new seed (`fuzzing`). */
const fuzzed = '{deliveries,hostile-bodies,outbox-sequences,sequences}';

const onEmbeddedStore = [
  testFiles('**', { integration: '*.integration', long: '*.long' }[run ?? '']),
  ...(run === 'long' ? [testFiles('**', fuzzed)] : []),
];

/** The suites that exercise what a store does differently: unique keys, races, sorting, paging, text and geography. */
const onMongoDb =
  run === 'integration'
    ? [
        testFiles('services/auth', '{accounts,registration}'),
        testFiles('services/challenges', '{challenges,in-view}'),
        testFiles('services/chat', '{chat,instances}'),
        testFiles('services/friends', '{friends,races}'),
        testFiles('services/notifications', 'notifications'),
        testFiles('services/participation', '{lists,races}'),
        testFiles('services/shared/platform', '{id-allocator,outbox,replicas,revocations,user-replica}'),
        testFiles('services/users', '{large-rankings,leaderboard,points,profiles,races}'),
        // What an erased account leaves behind is looked for in each store.
        testFiles('infra/testing', 'erasure.integration'),
      ]
    : [testFiles('services/{*,shared/platform}'), testFiles('infra/testing', 'erasure.integration')];

const store = process.env.WAYQUEST_TEST_STORE || (run === 'integration' ? 'both' : 'embedded');

/** @param {boolean} tsx */
const swc = (tsx) => ({
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', tsx },
    transform: { react: { runtime: 'automatic' } },
    target: 'es2022',
    // Node rejects JSON modules whose import has no attribute.
    experimental: { keepImportAttributes: true },
  },
});

const runner = `${testing}/runner.mts`;
const hookTimeoutMs = 240_000;

/** What all projects share. */
export const project = {
  rootDir: import.meta.dirname,
  roots: ['gateway', 'infra', 'services', 'web'].map((folder) => `<rootDir>/${folder}`),
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '/web/src/.*\\.(css|svg|tsx)$': [`${import.meta.dirname}/web/build/jest-transform.mjs`, swc(true)],
    '\\.m?ts$': ['@swc/jest', swc(false)],
    '\\.tsx$': ['@swc/jest', swc(true)],
  },
  runner: [runner, { store: 'embedded-store', hookTimeoutMs }],
};

const halfOfTheCores = Math.floor(availableParallelism() / 2);

const projects = [
  {
    ...project,
    displayName: 'MongoDB',
    testMatch: onMongoDb,
    // They share one server, which needs a core for itself.
    runner: [runner, { store: 'mongodb', maxWorkers: Math.max(2, halfOfTheCores), hookTimeoutMs }],
  },
  {
    ...project,
    displayName: 'embedded store',
    testMatch: onEmbeddedStore,
    testPathIgnorePatterns: [
      ...project.testPathIgnorePatterns,
      ...(run === 'deterministic' ? ['\\.(integration|long)\\.test\\.'] : []),
    ],
  },
];

/** @type {import('jest').Config} */
export default {
  projects: projects.filter(
    ({ displayName }) => displayName !== { mongodb: 'embedded store', embedded: 'MongoDB' }[store],
  ),
  globalSetup: `${testing}/global-setup.mts`,
  globalTeardown: `${testing}/global-teardown.mts`,
  testSequencer: `${testing}/sequencer.mjs`,
  reporters: ['default', `${testing}/closing-line.mts`],
  // A third of the time suites wait for a browser, a bus or a process. Each worker has a store of its own.
  maxWorkers: Math.max(3, halfOfTheCores),
  // Tests of one file that may go on at the same time, such as pages in a browser.
  maxConcurrency: 2,
  // Generous, since machines differ: a test of something that has to be quick sets its own timeout.
  testTimeout: run === 'long' ? 1_800_000 : 120_000,
  watchman: false,
};

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import ContainerSuitesLast from './infra/testing/src/vitest/sequencer.ts';

const testing = `${import.meta.dirname}/infra/testing/src/vitest`;

/**
 * Which run this is. Each is a make target; CONTRIBUTING.md says what belongs where.
 * - `deterministic`: everything that needs nothing but Node (and Chromium), on the embedded store and the in-process bus.
 * - `integration`: `*.integration.test.ts`, and the suites below once more on MongoDB.
 * - `long`: `*.long.test.ts` and the suites that generate inputs, at random and for minutes.
 * Without one, whatever is named on the command line runs on the embedded store, or on `WAYQUEST_TEST_STORE`.
 */
const run = process.env.WAYQUEST_TEST_RUN;

const testFiles = (folders: string, names = '*') => `${folders}/test/**/${names}.test.{ts,tsx}`;

/** Suites that generate inputs: few that are always the same, and in the long run many of a new seed (`fuzzing`). */
const fuzzed = '{deliveries,hostile-bodies,outbox-sequences,sequences}';

const onEmbeddedStore = {
  include: [
    testFiles('**', { integration: '*.integration', long: '*.long' }[run ?? '']),
    ...(run === 'long' ? [testFiles('**', fuzzed)] : []),
  ],
  exclude: ['**/node_modules/**', '**/dist/**'].concat(
    run === 'deterministic' ? [testFiles('**', '*.{integration,long}')] : [],
  ),
};

/** The suites that exercise what a store does differently: unique keys, races, sorting, paging, text and geography. */
const onMongoDb = {
  include:
    run === 'integration'
      ? [
          testFiles('services/auth', 'accounts'),
          testFiles('services/challenges', '{challenges,in-view}'),
          testFiles('services/chat', '{chat,instances}'),
          testFiles('services/friends', '{friends,races}'),
          testFiles('services/notifications', 'notifications'),
          testFiles('services/participation', '{lists,races}'),
          testFiles('services/shared/platform', '{id-allocator,outbox,replicas,revocations,user-replica}'),
          testFiles('services/users', '{leaderboard,points,profiles,races}'),
          // What an erased account leaves behind is looked for in each store.
          testFiles('infra/testing', 'erasure.integration'),
        ]
      : [testFiles('services/{*,shared/platform}'), testFiles('infra/testing', 'erasure.integration')],
  exclude: ['**/node_modules/**', '**/dist/**'],
};

const store = process.env.WAYQUEST_TEST_STORE || (run === 'integration' ? 'both' : 'embedded');

/** What all suites share. */
export const shared = {
  // Packages of this repository are run from their sources.
  ssr: { resolve: { conditions: ['@wayquest/source', 'node'] } },
  test: {
    globals: true,
    runner: `${testing}/runner.ts`,
    // A process runs one file after the other and loads the services once: half of the time would go into loading.
    pool: 'forks' as const,
    isolate: false,
    // A larger young generation (in MB): collecting garbage takes less of the processor.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
    // Tests of one file that may go on at the same time, such as pages in a browser.
    maxConcurrency: 2,
    // Generous, since machines differ: a test of something that has to be quick sets its own timeout.
    testTimeout: run === 'long' ? 1_800_000 : 120_000,
    hookTimeout: 240_000,
  },
};

interface Project {
  name: string;
  files: typeof onEmbeddedStore;
  setup: string;
  /** How many files it runs at the same time. */
  maxWorkers: number;
  /** Which of the projects comes first. */
  groupOrder: number;
}

const project = ({ name, files, setup, maxWorkers, groupOrder }: Project) => ({
  ...shared,
  test: {
    ...shared.test,
    ...{ name, ...files, maxWorkers, sequence: { groupOrder } },
    setupFiles: [`${testing}/${setup}`],
  },
});

const halfOfTheCores = Math.floor(availableParallelism() / 2);

const onEmbeddedStoreProject = project({
  name: 'embedded store',
  files: onEmbeddedStore,
  setup: 'on-embedded-store.ts',
  // A third of the time suites wait for a browser, a bus or a process. Each worker has a store of its own.
  maxWorkers: Math.max(3, halfOfTheCores),
  groupOrder: 1,
});

const onMongoDbProject = project({
  name: 'MongoDB',
  files: onMongoDb,
  setup: 'on-mongodb.ts',
  // They share one server, which needs a core for itself.
  maxWorkers: Math.max(2, halfOfTheCores),
  groupOrder: 0,
});

export default defineConfig({
  test: {
    projects: [
      ...(store === 'mongodb' ? [] : [onEmbeddedStoreProject]),
      ...(store === 'embedded' ? [] : [onMongoDbProject]),
    ],
    globalSetup: `${testing}/global-setup.ts`,
    reporters: ['default', `${testing}/closing-line.ts`],
    sequence: { sequencer: ContainerSuitesLast },
    slowTestThreshold: 10_000,
  },
});

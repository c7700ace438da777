import TestSequencer from '@jest/test-sequencer';
import { expectResults } from './closing-line.mts';

/** @typedef {import('@jest/test-result').Test} Test */

/**
 * Suites that start and stop a dozen containers, which uses all cores and changes the network interfaces.
 *
 * @param {Test} test
 */
const usesContainers = ({ path }) => path.includes('/infra/docker/');

/**
 * Small files that run other test runs, and so take longer than their size suggests.
 *
 * @param {Test} test
 */
const runsTests = ({ path }) => /\/infra\/testing\/test\/(second-try|failing|example)\./.test(path);

/**
 * Suites on MongoDB, whose project has a runner of its own. Jest starts runners in the order of their first suites.
 *
 * @param {Test} test
 */
const isOnMongoDb = ({ context }) => context.config.displayName?.name === 'MongoDB';

/**
 * Runs MongoDB's project first, and suites that disturb others last; others by their duration or size, the longest first, so that all workers end
 * together. In JavaScript, since the types of the base class are wrong for native modules.
 */
export default class ContainerSuitesLast extends TestSequencer {
  /** @param {Test[]} tests */
  sort(tests) {
    /** @param {Test} test */
    const rank = (test) => (isOnMongoDb(test) ? 0 : runsTests(test) ? 1 : usesContainers(test) ? 3 : 2);
    const sorted = super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
    expectResults(sorted);
    return sorted;
  }
}

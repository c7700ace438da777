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
 * Runs suites that disturb others last; others by their duration or size, the longest first, so that all workers end
 * together. In JavaScript, since the types of the base class are wrong for native modules.
 */
export default class ContainerSuitesLast extends TestSequencer {
  /** @param {Test[]} tests */
  sort(tests) {
    /** @param {Test} test */
    const rank = (test) => (usesContainers(test) ? 2 : runsTests(test) ? 0 : 1);
    const sorted = super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
    expectResults(sorted);
    return sorted;
  }
}

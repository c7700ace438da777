import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that start and stop a dozen containers, which uses all cores and changes the network interfaces. */
const usesContainers = ({ moduleId }: TestSpecification) => moduleId.includes('/infra/docker/');

/** Small files that run other test runs, and so take longer than their size suggests. */
const runsTests = ({ moduleId }: TestSpecification) =>
  /\/infra\/testing\/test\/(second-try|failing|example)\./.test(moduleId);

/** Runs suites that disturb others last; others by their duration or size, the longest first, so that all workers end together. */
export default class ContainerSuitesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = (file: TestSpecification) => (usesContainers(file) ? 2 : runsTests(file) ? 0 : 1);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that start and stop a dozen containers, which uses all cores and changes the network interfaces. */
const usesContainers = ({ moduleId }: TestSpecification) => moduleId.includes('/infra/docker/');

/** Runs suites that disturb others last; others by their duration, the longest first. */
export default class ContainerSuitesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !usesContainers(file)), ...sorted.filter(usesContainers)];
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These start and stop a dozen containers, which keeps both cores busy and changes the network's interfaces. */
const usesContainers = ({ moduleId }: TestSpecification) => moduleId.includes('/infra/docker/');

/** Runs suites that disturb others last; others by their duration, the longest first. */
export default class ContainerSuitesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !usesContainers(file)), ...sorted.filter(usesContainers)];
  }
}

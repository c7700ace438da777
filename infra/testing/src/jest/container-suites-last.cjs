const { default: TestSequencer } = require('@jest/test-sequencer');

/** They start and stop a dozen containers, which keeps both cores busy and changes the network's interfaces. */
const usesContainers = ({ path }) => path.includes('/infra/docker/');

/** Suites that disturb others come when those are done. */
module.exports = class ContainerSuitesLast extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [
      ...sorted.filter((test) => !usesContainers(test)),
      ...sorted.filter((test) => usesContainers(test)),
    ];
  }
};

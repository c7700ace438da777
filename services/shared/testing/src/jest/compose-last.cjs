const { default: TestSequencer } = require('@jest/test-sequencer');

const isCompose = ({ path }) => path.includes('/infra/docker/');

/** Taking a dozen containers up and down cuts connections to others: the suite that does so comes when they are done. */
module.exports = class ComposeLast extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isCompose(test)), ...sorted.filter(isCompose)];
  }
};

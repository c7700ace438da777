const { default: TestSequencer } = require('@jest/test-sequencer');

/** Takes a dozen containers up and down. */
const isCompose = ({ path }) => path.includes('/infra/docker/');

/** Hundreds of writes for the same unique keys at once: DocumentDB stalls when others make indexes meanwhile. */
const isRace = ({ path, context }) =>
  path.includes('/services/friends/') && context.config.displayName?.name === 'MongoDB';

/** Suites that others suffer from come when the others are done. */
module.exports = class DisturbingLast extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const others = sorted.filter((test) => !isCompose(test) && !isRace(test));
    return [...others, ...sorted.filter(isCompose), ...sorted.filter(isRace)];
  }
};

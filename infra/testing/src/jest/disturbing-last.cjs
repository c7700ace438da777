const { default: TestSequencer } = require('@jest/test-sequencer');

/** Takes a dozen containers up and down. */
const isCompose = ({ path }) => path.includes('/infra/docker/');

/** Hundreds of writes for the same unique keys at once: DocumentDB stalls when others make indexes meanwhile. */
const isRace = ({ path, context }) =>
  path.includes('/services/friends/') && context.config.displayName?.name === 'MongoDB';

/** Waits most of its time, so that it does not mind what goes on beside it. */
const isPatient = ({ path }) => path.endsWith('/retellings.test.ts');

/** Suites that others suffer from come when the others are done, and beside them what does not mind. */
module.exports = class DisturbingLast extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const kinds = [isCompose, isRace, isPatient];
    const others = sorted.filter((test) => !kinds.some((isKind) => isKind(test)));
    return [...others, ...kinds.flatMap((isKind) => sorted.filter(isKind))];
  }
};

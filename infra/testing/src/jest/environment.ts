import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { keepFailure } from './kept-files.ts';

/** Where its message ends, and where it was thrown begins. */
const firstPlace = /\n\s+at /;

/** Lets a test that fails say what the parts of its networks complained of, and ends what its file had for itself. */
export default class WithComplaints extends TestEnvironment {
  private readonly testPath: string;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.testPath = context.testPath;
  }

  override async teardown(): Promise<void> {
    // A broker that nobody needs any more still takes its share of the machine.
    await Promise.all((this.global.wayquestOwnBacking ?? []).map((end) => end()));
    await super.teardown();
  }

  async handleTestEvent(event: Circus.Event): Promise<void> {
    const lines = this.global.wayquestLines;
    if (event.name === 'test_start') lines?.begin();
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const complaints = lines?.complaints();
    const { error } = event;
    // Of the test's own realm, so no instance of this one's Error.
    if (complaints && typeof error?.stack === 'string')
      error.stack = error.stack.replace(firstPlace, (place: string) => `\n\n${complaints}\n${place}`);
    await keepFailure(this.testPath, lines?.logs() ?? [], this.global.wayquestTraces ?? []);
  }
}

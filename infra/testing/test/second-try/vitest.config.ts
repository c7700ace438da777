import { defineConfig } from 'vitest/config';

/** Runs the files named on the command line, with the reporter of the real run. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.fixture.ts'],
    globals: true,
    reporters: ['../../src/vitest/closing-line.ts'],
  },
});

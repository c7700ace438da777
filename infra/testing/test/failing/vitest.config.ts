import { defineConfig } from 'vitest/config';
import { shared } from '../../../../vitest.config.ts';

const testing = `${import.meta.dirname}/../../src/vitest`;

/** Runs the failing fixture with the configuration of the real run. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['infra/testing/test/failing/vitest.fixture.ts'],
    globalSetup: `${testing}/global-setup.ts`,
    setupFiles: [`${testing}/on-embedded-store.ts`],
  },
});

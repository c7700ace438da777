import { defineConfig } from 'vitest/config';
import { shared } from '../../../../vitest.config.ts';

const testing = `${import.meta.dirname}/../../src/vitest`;

/** The suite that fails, as the real run runs it. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['infra/testing/test/failing/vitest.fixture.ts'],
    globalSetup: `${testing}/global-setup.ts`,
    setupFiles: [`${testing}/on-embedded-store.ts`],
  },
});

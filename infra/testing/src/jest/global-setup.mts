import { randomInt } from 'node:crypto';
import type { BackingKind, Provider } from '../backing/backing-service.ts';
import { backingKinds, findBackingService } from '../backing/backing-services.ts';
import { generateKeys } from '../tokens.ts';
import { type BackingServer, startBackingServer } from './backing-server.ts';
import { traceVariable } from './failure-artifacts.ts';

const log = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Backing services of deterministic tests. */
const deterministicKinds: readonly BackingKind[] = ['embedded-store', 'chromium'];

/** Services that an integration run starts before its first suite, so that starting them does not slow a suite down. */
const integrationKinds: readonly BackingKind[] = ['mongodb', 'rabbitmq', 'redis', 'images'];

declare global {
  /** For the teardown, which is another module. */
  var wayquestBackingServer: BackingServer | undefined;
}

/** Prints which backing services are available, and passes the address of their server to the test files. */
export default async function globalSetup(): Promise<void> {
  const run = process.env.WAYQUEST_TEST_RUN;
  const kinds = run === 'deterministic' ? deterministicKinds : backingKinds;
  const providers = await Promise.all(
    kinds.map(async (kind) => [kind, await findBackingService(kind)] as const),
  );
  log('Backing services:');
  for (const [kind, [first]] of providers) {
    log(`  ${kind}: ${first?.description ?? 'none, so the suites that need it are skipped'}`);
  }
  const providersByKind: Partial<Record<BackingKind, Provider[]>> = Object.fromEntries(providers);
  const requiredKinds = run === 'integration' && process.env.CI ? integrationKinds : [];
  const server = await startBackingServer(providersByKind, requiredKinds, log);
  // A second try only runs a few files, so it starts services on demand.
  const isSecondTry = process.env[traceVariable] !== undefined;
  if (run === 'integration' && !isSecondTry) await Promise.all(integrationKinds.map(server.prepare));
  globalThis.wayquestBackingServer = server;
  process.env.WAYQUEST_TEST_BACKING_URL = server.url;
  if (run === 'long') {
    // Tests read it in `fuzzing`; a seed that was printed repeats its run.
    process.env.FUZZ_SEED ||= String(randomInt(1, 2 ** 31));
    log(`FUZZ_SEED=${process.env.FUZZ_SEED}`);
  }
  const { privateKey, publicKey } = generateKeys();
  process.env.WAYQUEST_TEST_PRIVATE_KEY = privateKey;
  process.env.WAYQUEST_TEST_PUBLIC_KEY = publicKey;
}

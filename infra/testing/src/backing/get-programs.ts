import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { BackingKind } from './backing-service.ts';
import { backingKinds, findBackingService } from './backing-services.ts';

/** Timeout of an installation; the tests can run without it. */
const playwrightTimeoutMs = 90_000;

let hasTriedPlaywright = false;

/**
 * Installs Playwright's builds of the headless shell and of the full browser, for systems without a package or without
 * root. A failure shows when the program is looked up.
 */
function installPlaywrightChromium(): void {
  if (hasTriedPlaywright) return;
  hasTriedPlaywright = true;
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: playwrightTimeoutMs,
  });
}

const isAvailable = async (kind: BackingKind) =>
  (await findBackingService(kind, { mayInstall: false })).length > 0;

/**
 * Makes sure before the tests that a program is installed, since nothing is installed during the tests. Reports a
 * missing one; suites that need it are skipped.
 */
async function ensureInstalled(kind: BackingKind): Promise<void> {
  if (await isAvailable(kind)) return;
  if (kind === 'chromium' || kind === 'full-chromium') {
    console.log('Getting Chromium, for the tests that run in a browser …');
    installPlaywrightChromium();
    if (await isAvailable(kind)) return;
  }
  const [installable] = await findBackingService(kind, { mayInstall: true });
  try {
    if (!installable) throw new Error('it cannot be installed on this machine');
    console.log(`Installing ${installable.description} …`);
    await (await installable.start()).stop();
  } catch (error) {
    console.log(`${kind} is not available (${error instanceof Error ? error.message : error}).`);
  }
}

for (const argument of process.argv.slice(2)) {
  const kind = backingKinds.find((one) => one === argument);
  if (!kind) throw new Error(`${argument} is none of ${backingKinds.join(', ')}`);
  await ensureInstalled(kind);
}

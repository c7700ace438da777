import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type InProcessOptions, type Network, startNetwork } from '@wayquest/testing';

/** The folder of the built web app. */
export const webDirectory = fileURLToPath(new URL('../../dist', import.meta.url));

/** Starts a network that serves the built web app; throws if it is not built. */
export function startSite(options: InProcessOptions = {}): Promise<Network> {
  if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
  return startNetwork({ webDirectory, ...options });
}

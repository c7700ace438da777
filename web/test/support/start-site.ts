import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type InProcessOptions, type Network, startNetwork } from '@wayquest/testing';

/** The web app as it was last built. */
export const webDirectory = fileURLToPath(new URL('../../dist', import.meta.url));

/** A network that serves the web app as it was last built, if no other is named; throws where it was not. */
export function startSite(options: InProcessOptions = {}): Promise<Network> {
  if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
  return startNetwork({ webDirectory, ...options });
}

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type InProcessOptions,
  type Network,
  openBrowser,
  startNetwork,
  type TestBrowser,
  type Visitor,
  type VisitorOptions,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';

/** The folder of the built web app. */
export const webDirectory = fileURLToPath(new URL('../../dist', import.meta.url));

interface SiteOptions extends InProcessOptions {
  /** Whether the map's tiles can be loaded. Default: each is an empty picture. */
  tiles?: 'empty' | 'unreachable';
}

/** Responds with an empty picture to every request. */
async function startTileServer() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' });
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * Starts a network that serves the built web app; throws if it is not built. Pages load no tiles from other hosts, which
 * would depend on this machine's network. (To stub them in each page would disable the browser's cache.)
 */
export async function startSite({
  tiles = 'empty',
  settings,
  ...options
}: SiteOptions = {}): Promise<Network> {
  if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
  const tileServer = tiles === 'empty' ? await startTileServer() : undefined;
  // Browsers never connect to port 1.
  const port = tileServer ? (tileServer.address() as AddressInfo).port : 1;
  const network = await startNetwork({
    webDirectory,
    settings: { MAP_TILES_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.svg`, ...settings },
    ...options,
  });
  const stop = async () => {
    tileServer?.close();
    tileServer?.closeAllConnections();
    await network.stop();
  };
  return { ...network, stop, [Symbol.asyncDispose]: stop };
}

interface VisitOptions extends VisitorOptions {
  /** Called with the page before it is loaded. */
  prepare?(page: Page): Promise<unknown>;
}

/** A site, and a browser for its visitors. */
interface BrowserSite {
  readonly network: Network;
  readonly browser: TestBrowser;
  /** Loads a page of the site as a new visitor. */
  visit(path: string, options?: VisitOptions): Promise<Visitor>;
}

/**
 * Starts a site and a browser before the tests of the suite that calls this, and stops both after them.
 *
 * @returns Both; they exist from the suite's own `beforeAll` on.
 */
export function useSite(options?: SiteOptions): BrowserSite {
  let network: Network | undefined;
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    network = await startSite(options);
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });
  const started = <T>(part: T | undefined): T => {
    if (!part) throw new Error('the site has not started');
    return part;
  };
  return {
    get network() {
      return started(network);
    },
    get browser() {
      return started(browser);
    },
    async visit(path, { prepare, ...options } = {}) {
      const visitor = await started(browser).visitor(options);
      await prepare?.(visitor.page);
      await visitor.page.goto(path);
      return visitor;
    },
  };
}

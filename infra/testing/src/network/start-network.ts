import { startInProcess } from './in-process.ts';
import { startMultiProcess } from './multi-process-network.ts';
import type { ApartNetwork, ApartOptions, InProcessOptions, Network, NetworkOptions } from './network.ts';

const isApart = (options: NetworkOptions): options is ApartOptions =>
  options.as === 'processes' || options.as === 'containers';

/** Starts a network; usually one for each test file. */
export function startNetwork(options: ApartOptions): Promise<ApartNetwork>;
export function startNetwork(options?: InProcessOptions): Promise<Network>;
export function startNetwork(options: NetworkOptions = {}): Promise<ApartNetwork | Network> {
  return isApart(options) ? startMultiProcess(options) : startInProcess(options);
}

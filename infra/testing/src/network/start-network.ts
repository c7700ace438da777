import { startInProcess } from './in-process.ts';
import { startMultiProcess } from './multi-process-network.ts';
import type {
  InProcessOptions,
  MultiProcessNetwork,
  MultiProcessOptions,
  Network,
  NetworkOptions,
} from './network.ts';

const isMultiProcess = (options: NetworkOptions): options is MultiProcessOptions =>
  options.as === 'processes' || options.as === 'containers';

/** Starts a network; usually one for each test file. */
export function startNetwork(options: MultiProcessOptions): Promise<MultiProcessNetwork>;
export function startNetwork(options?: InProcessOptions): Promise<Network>;
export function startNetwork(options: NetworkOptions = {}): Promise<MultiProcessNetwork | Network> {
  return isMultiProcess(options) ? startMultiProcess(options) : startInProcess(options);
}

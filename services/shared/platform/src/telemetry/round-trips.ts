import { subscribe } from 'node:diagnostics_channel';
import { metrics } from './metrics.ts';

const storeReads = new Set([
  'find',
  'findOne',
  'countDocuments',
  'estimatedDocumentCount',
  'distinct',
  'aggregate',
]);

const storeKind = (message: object): string =>
  'operation' in message && storeReads.has(String(message.operation)) ? 'read' : 'write';

/** The diagnostics channels of mongoose and ioredis, and the store that each belongs to. */
const channels: [channel: string, to: string, kindOf: (message: object) => string][] = [
  ...['mongoose:query', 'mongoose:aggregate', 'mongoose:model:save', 'mongoose:model:insertMany'].map(
    (channel): (typeof channels)[number] => [channel, 'store', storeKind],
  ),
  ['ioredis:command', 'redis', () => 'command'],
  ['ioredis:batch', 'redis', () => 'batch'],
];

const isObject = (message: unknown): message is object => typeof message === 'object' && message !== null;

let isMeasuring = false;

/** Starts measuring the duration of store commands. Not called where metrics are off. */
export function measureRoundTrips(): void {
  if (isMeasuring) return;
  isMeasuring = true;
  for (const [channel, to, kindOf] of channels) {
    const startTimes = new WeakMap<object, number>();
    subscribe(`tracing:${channel}:start`, (message) => {
      if (isObject(message)) startTimes.set(message, performance.now());
    });
    subscribe(`tracing:${channel}:asyncEnd`, (message) => {
      if (!isObject(message)) return;
      const since = startTimes.get(message);
      if (since === undefined) return;
      metrics.roundTrips.observe({ to, kind: kindOf(message) }, (performance.now() - since) / 1_000);
    });
  }
}

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

const storeKind = (told: object): string =>
  'operation' in told && storeReads.has(String(told.operation)) ? 'read' : 'write';

/** The diagnostics channels of mongoose and ioredis, and the store that each belongs to. */
const channels: [channel: string, to: string, kindOf: (told: object) => string][] = [
  ...['mongoose:query', 'mongoose:aggregate', 'mongoose:model:save', 'mongoose:model:insertMany'].map(
    (channel): (typeof channels)[number] => [channel, 'store', storeKind],
  ),
  ['ioredis:command', 'redis', () => 'command'],
  ['ioredis:batch', 'redis', () => 'batch'],
];

const isObject = (told: unknown): told is object => typeof told === 'object' && told !== null;

let measured = false;

/** Starts measuring the duration of store commands. Not called where metrics are off. */
export function measureRoundTrips(): void {
  if (measured) return;
  measured = true;
  for (const [channel, to, kindOf] of channels) {
    const begun = new WeakMap<object, number>();
    subscribe(`tracing:${channel}:start`, (told) => {
      if (isObject(told)) begun.set(told, performance.now());
    });
    subscribe(`tracing:${channel}:asyncEnd`, (told) => {
      if (!isObject(told)) return;
      const since = begun.get(told);
      if (since === undefined) return;
      metrics.roundTrips.observe({ to, kind: kindOf(told) }, (performance.now() - since) / 1_000);
    });
  }
}

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

/** The channels on which mongoose and ioredis tell of their commands, and of which kind one is. */
const channels: [channel: string, to: string, kindOf: (told: object) => string][] = [
  ...['mongoose:query', 'mongoose:aggregate', 'mongoose:model:save', 'mongoose:model:insertMany'].map(
    (channel): (typeof channels)[number] => [channel, 'store', storeKind],
  ),
  ['ioredis:command', 'redis', () => 'command'],
  ['ioredis:batch', 'redis', () => 'batch'],
];

const isObject = (told: unknown): told is object => typeof told === 'object' && told !== null;

let measured = false;

/** From here on it is measured how long stores take; where nobody asks for metrics, they are not made to tell. */
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

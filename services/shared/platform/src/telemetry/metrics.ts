import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import { z } from 'zod';

const Manifest = z.object({ version: z.string() });

/** The version of Wayquest, which all workspaces share. */
export const { version } = Manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

/** A connection pool whose callers may have to wait. */
interface WatchedPool {
  service: string;
  to: string;
  waiting(): number;
}
const pools = new Set<WatchedPool>();

/**
 * Reports how many callers wait for a connection of a pool.
 *
 * @returns A function that stops reporting.
 */
export function watchPool(pool: WatchedPool): () => void {
  pools.add(pool);
  return () => pools.delete(pool);
}

/** The process's metrics, in Prometheus' format under /metrics of the management port. */
export const metrics = {
  httpDuration: new Histogram({
    name: 'wayquest_http_request_duration_seconds',
    help: 'Duration of requests, by operation and status',
    labelNames: ['service', 'operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  }),
  upstreamFailures: new Counter({
    name: 'wayquest_upstream_failures_total',
    help: 'Requests for which the gateway got no answer of a service, by the problem that the client saw',
    labelNames: ['upstream', 'problem'],
  }),
  securityEvents: new Counter({
    name: 'wayquest_security_events_total',
    help: 'Possible attacks and abuses of rights, by kind; the log has the account and the address',
    labelNames: ['service', 'event'],
  }),
  emails: new Counter({
    name: 'wayquest_emails_sent_total',
    help: 'Emails by outcome: sent, written (to a file, without SMTP), failed',
    labelNames: ['outcome'],
  }),
  roundTrips: new Histogram({
    name: 'wayquest_roundtrip_seconds',
    help: 'Duration of round trips; to is store (kind read or write), redis (command or batch) or broker (confirm)',
    labelNames: ['to', 'kind'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
  }),
  poolWaiting: new Gauge({
    name: 'wayquest_pool_waiting',
    help: 'Callers waiting for a connection: of a service to its store, or of the gateway to a service',
    labelNames: ['service', 'to'],
    collect() {
      this.reset();
      for (const { service, to, waiting } of pools) this.inc({ service, to }, waiting());
    },
  }),
  build: new Gauge({
    name: 'wayquest_build_info',
    help: 'Version of Wayquest and of Node; always 1',
    labelNames: ['version', 'node'],
  }),
  certificateExpiry: new Gauge({
    name: 'wayquest_certificate_expiry_timestamp_seconds',
    help: 'Until when the certificate of the public address is valid, as the gateway sees it',
    labelNames: ['host'],
  }),
  memoryLimit: new Gauge({
    name: 'wayquest_memory_limit_bytes',
    help: 'Memory that this process may use: the limit of its container, without one that of the machine',
  }),
  eventsPublished: new Counter({
    name: 'wayquest_events_published_total',
    help: 'Events that the bus confirmed',
    labelNames: ['event'],
  }),
  eventsHandled: new Counter({
    name: 'wayquest_events_handled_total',
    help: 'Deliveries by outcome: done, retried, dead, deferred (a dependency was unavailable)',
    labelNames: ['service', 'event', 'outcome'],
  }),
  eventLag: new Histogram({
    name: 'wayquest_event_lag_seconds',
    help: 'Time from when an event occurred to when it was handled, without replays for replicas',
    labelNames: ['service'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
  }),
  busQueueMessages: new Gauge({
    name: 'wayquest_bus_queue_messages',
    help: 'Messages of a service in the broker: ready, waiting for a retry, or dead',
    labelNames: ['service', 'state'],
  }),
  busOldestMessageAge: new Gauge({
    name: 'wayquest_bus_oldest_message_age_seconds',
    help: 'Upper bound of the age of the oldest ready message of a service, as far as this process has seen',
    labelNames: ['service'],
  }),
  busConsumers: new Gauge({
    name: 'wayquest_bus_consumers',
    help: '1 if this process consumes the events of a service, else 0',
    labelNames: ['service'],
  }),
  busUnconfirmed: new Gauge({
    name: 'wayquest_bus_unconfirmed',
    help: 'Messages sent that the broker has not confirmed yet',
  }),
  busBlocked: new Gauge({
    name: 'wayquest_bus_blocked',
    help: '1 if the broker blocks publishers for lack of memory or disk, else 0',
  }),
  busReconnects: new Counter({
    name: 'wayquest_bus_reconnects_total',
    help: 'Connections and channels that were lost and opened again',
    labelNames: ['connection'],
  }),
  spans: new Counter({
    name: 'wayquest_spans_total',
    help: 'Spans by outcome: sent, lost (the collector did not accept them)',
    labelNames: ['outcome'],
  }),
  outboxFailures: new Counter({
    name: 'wayquest_outbox_failures_total',
    help: 'Failed attempts to publish from an outbox; each is retried',
    labelNames: ['collection'],
  }),
  outboxOldestEventAge: new Gauge({
    name: 'wayquest_outbox_oldest_event_age_seconds',
    help: 'Age of the oldest unpublished event',
    labelNames: ['collection'],
  }),
};

export { register as metricsRegistry };

/** Collects the metrics that every process has: memory, CPU, event loop, build. */
export function collectProcessMetrics(): void {
  // Each sample of the event loop's lag is a timer; ten a second are precise enough for delays that people notice.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });
  metrics.build.set({ version, node: process.version }, 1);
  // Without a limit of a container it is 0, or more than the machine has.
  metrics.memoryLimit.set(Math.min(process.constrainedMemory() || totalmem(), totalmem()));
}

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

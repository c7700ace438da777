import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import { version } from './version.ts';

/** Where somebody may have to wait for a connection. */
interface WatchedPool {
  service: string;
  to: string;
  waiting(): number;
}
const pools = new Set<WatchedPool>();

/** From here on it is told how many wait for a connection of a pool; answers how to end that. */
export function watchPool(pool: WatchedPool): () => void {
  pools.add(pool);
  return () => pools.delete(pool);
}

/** The process's metrics, in Prometheus' format under /metrics of the management port. */
export const metrics = {
  httpDuration: new Histogram({
    name: 'wayquest_http_request_duration_seconds',
    help: 'How long calls took, by operation and status',
    labelNames: ['service', 'operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  }),
  upstreamFailures: new Counter({
    name: 'wayquest_upstream_failures_total',
    help: 'Calls that the gateway could not get answered by a service, by the problem that the client saw',
    labelNames: ['upstream', 'problem'],
  }),
  securityEvents: new Counter({
    name: 'wayquest_security_events_total',
    help: 'What may be an attack, or an abuse of rights, by kind; the log says who and from where',
    labelNames: ['service', 'event'],
  }),
  mails: new Counter({
    name: 'wayquest_mails_total',
    help: 'Mails by what became of them: sent, written (to a file, without SMTP), failed',
    labelNames: ['outcome'],
  }),
  roundTrips: new Histogram({
    name: 'wayquest_roundtrip_seconds',
    help: 'How long stores took: to is store (read, write), redis (command, batch) or broker (confirm)',
    labelNames: ['to', 'kind'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
  }),
  poolWaiting: new Gauge({
    name: 'wayquest_pool_waiting',
    help: 'Who waits for a connection, of a service to its store, or of the gateway to a service',
    labelNames: ['service', 'to'],
    collect() {
      this.reset();
      for (const { service, to, waiting } of pools) this.inc({ service, to }, waiting());
    },
  }),
  build: new Gauge({
    name: 'wayquest_build_info',
    help: 'What runs: always 1',
    labelNames: ['version', 'node'],
  }),
  eventsPublished: new Counter({
    name: 'wayquest_events_published_total',
    help: 'Events that the bus confirmed',
    labelNames: ['event'],
  }),
  eventsHandled: new Counter({
    name: 'wayquest_events_handled_total',
    help: 'Deliveries by outcome: done, retried, dead, deferred (a part was away)',
    labelNames: ['service', 'event', 'outcome'],
  }),
  eventsAge: new Histogram({
    name: 'wayquest_events_age_seconds',
    help: 'How long after it happened an event was handled; what is told again to make a replica does not count',
    labelNames: ['service'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
  }),
  busWaiting: new Gauge({
    name: 'wayquest_bus_waiting',
    help: 'Deliveries of a service that wait in the broker: for their turn, to be tried again, or dead',
    labelNames: ['service', 'state'],
  }),
  busOldest: new Gauge({
    name: 'wayquest_bus_oldest_seconds',
    help: 'How long the oldest delivery of a service that waits for its turn has waited at most, as far as this process has seen',
    labelNames: ['service'],
  }),
  busConsumers: new Gauge({
    name: 'wayquest_bus_consumers',
    help: 'Whether this process takes the events of a service',
    labelNames: ['service'],
  }),
  busUnconfirmed: new Gauge({
    name: 'wayquest_bus_unconfirmed',
    help: 'Messages that were sent and that the broker has not confirmed yet',
  }),
  busBlocked: new Gauge({
    name: 'wayquest_bus_blocked',
    help: 'Whether the broker takes nothing for want of memory or disk',
  }),
  busReconnects: new Counter({
    name: 'wayquest_bus_reconnects_total',
    help: 'How often a connection or its channel was lost and made again',
    labelNames: ['link'],
  }),
  spans: new Counter({
    name: 'wayquest_spans_total',
    help: 'Steps of traces by whether the collector took them: sent, lost',
    labelNames: ['outcome'],
  }),
  outboxFailures: new Counter({
    name: 'wayquest_outbox_failures_total',
    help: 'Attempts to publish from an outbox that failed and will be made again',
    labelNames: ['collection'],
  }),
  outboxOldest: new Gauge({
    name: 'wayquest_outbox_oldest_seconds',
    help: 'How long ago the oldest unsent event happened',
    labelNames: ['collection'],
  }),
};

export { register as metricsRegistry };

/** What there is to tell of any process of Wayquest. */
export function collectProcessMetrics(): void {
  // Each look at how long the loop lets wait is a timer: ten a second tell as much of what people notice as a hundred.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });
  metrics.build.set({ version, node: process.version }, 1);
}

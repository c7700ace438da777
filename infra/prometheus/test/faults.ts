/** Samples by series, one per minute, in promtool's notation. */
export type Series = Record<string, string>;

const calls = 'wayquest_http_request_duration_seconds';
const securityEvents = (event: string) => `wayquest_security_events_total{service="auth",event="${event}"}`;

/** An hour without faults. */
const healthy: Series = {
  'up{job="wayquest",instance="chat:9090"}': '1x60',
  'up{job="wayquest-backup",instance="backup:9090"}': '1x60',
  'process_resident_memory_bytes{job="wayquest",instance="chat:9090"}': '80000000x60',
  'wayquest_memory_limit_bytes{job="wayquest",instance="chat:9090"}': '1000000000x60',
  [`${calls}_count{service="gateway",status="200"}`]: '0+600x60',
  [`${calls}_count{service="gateway",status="503"}`]: '0+6x60',
  [`${calls}_bucket{service="gateway",status="200",le="0.1"}`]: '0+600x60',
  [`${calls}_bucket{service="gateway",status="200",le="1"}`]: '0+600x60',
  [`${calls}_bucket{service="gateway",status="200",le="2.5"}`]: '0+600x60',
  [`${calls}_bucket{service="gateway",status="200",le="+Inf"}`]: '0+600x60',
  // One of two replicas is paused.
  'wayquest_bus_consumers{service="chat",instance="1"}': '1x60',
  'wayquest_bus_consumers{service="chat",instance="2"}': '0x60',
  'wayquest_bus_queue_messages{service="chat",state="ready"}': '12x60',
  'wayquest_bus_queue_messages{service="chat",state="dead"}': '0x60',
  'wayquest_outbox_oldest_event_age_seconds{collection="messages"}': '2x60',
  wayquest_bus_blocked: '0x60',
  rabbitmq_disk_space_available_bytes: '20000000000x60',
  'wayquest_store_disk_bytes{state="used"}': '5000000000x60',
  'wayquest_store_disk_bytes{state="total"}': '10000000000x60',
  'wayquest_redis_memory_bytes{state="used"}': '4000000x60',
  'wayquest_redis_memory_bytes{state="max"}': '400000000x60',
  'wayquest_event_lag_seconds_bucket{service="chat",le="1"}': '0+600x60',
  'wayquest_event_lag_seconds_bucket{service="chat",le="30"}': '0+600x60',
  'wayquest_event_lag_seconds_bucket{service="chat",le="120"}': '0+600x60',
  'wayquest_event_lag_seconds_bucket{service="chat",le="+Inf"}': '0+600x60',
  'wayquest_roundtrip_seconds_bucket{to="store",le="0.025"}': '0+600x60',
  'wayquest_roundtrip_seconds_bucket{to="store",le="0.5"}': '0+600x60',
  'wayquest_roundtrip_seconds_bucket{to="store",le="+Inf"}': '0+600x60',
  'wayquest_pool_waiting{service="chat",to="store"}': '3x60',
  'nodejs_eventloop_lag_p99_seconds{instance="chat:9090"}': '0.12x60',
  'wayquest_emails_sent_total{outcome="failed"}': '2x60',
  wayquest_backup_newest_timestamp_seconds: '0x60',
  'wayquest_certificate_expiry_timestamp_seconds{host="wayquest.example"}': '5000000x60',
  'wayquest_spans_total{outcome="lost"}': '40x60',
  wayquest_moderation_overdue_cases: '0x60',
  [securityEvents('login-failed')]: '0+2x60',
  [securityEvents('rate-limited')]: '0+60x60',
  [securityEvents('points-flagged')]: '0x60',
  [securityEvents('rights-changed')]: '0x60',
  [securityEvents('admin-action')]: '0+1x60',
};

/** The different samples of one fault, by the alert that should fire. */
export const faults: Record<string, Series> = {
  InstanceDown: { 'up{job="wayquest",instance="chat:9090"}': '0x60' },
  PartsMissing: { 'up{job="wayquest",instance="chat:9090"}': '_x60' },
  MemoryNearLimit: {
    'process_resident_memory_bytes{job="wayquest",instance="chat:9090"}': '900000000x60',
  },
  HighErrorRate: { [`${calls}_count{service="gateway",status="503"}`]: '0+30x60' },
  HighLatency: {
    [`${calls}_bucket{service="gateway",status="200",le="0.1"}`]: '0+540x60',
    [`${calls}_bucket{service="gateway",status="200",le="1"}`]: '0+540x60',
  },
  NoEventConsumers: { 'wayquest_bus_consumers{service="chat",instance="1"}': '0x60' },
  EventBacklog: { 'wayquest_bus_queue_messages{service="chat",state="ready"}': '5000x60' },
  OutboxStalled: { 'wayquest_outbox_oldest_event_age_seconds{collection="messages"}': '90x60' },
  RedisUnavailable: {
    'wayquest_redis_memory_bytes{state="used"}': '_x60',
    'wayquest_redis_memory_bytes{state="max"}': '_x60',
  },
  BrokerBlocked: { wayquest_bus_blocked: '1x60' },
  BrokerDiskNearlyFull: { rabbitmq_disk_space_available_bytes: '1000000000x60' },
  StoreDiskNearlyFull: { 'wayquest_store_disk_bytes{state="used"}': '9000000000x60' },
  RedisNearlyFull: { 'wayquest_redis_memory_bytes{state="used"}': '390000000x60' },
  DeadLetters: { 'wayquest_bus_queue_messages{service="chat",state="dead"}': '3x60' },
  HighEventLag: {
    'wayquest_event_lag_seconds_bucket{service="chat",le="1"}': '0+540x60',
    'wayquest_event_lag_seconds_bucket{service="chat",le="30"}': '0+540x60',
  },
  HighStoreLatency: { 'wayquest_roundtrip_seconds_bucket{to="store",le="0.025"}': '0+60x60' },
  ConnectionPoolExhausted: { 'wayquest_pool_waiting{service="chat",to="store"}': '80x60' },
  HighEventLoopLag: { 'nodejs_eventloop_lag_p99_seconds{instance="chat:9090"}': '0.9x60' },
  EmailsFailing: { 'wayquest_emails_sent_total{outcome="failed"}': '2+1x60' },
  CertificateExpiresSoon: {
    'wayquest_certificate_expiry_timestamp_seconds{host="wayquest.example"}': '500000x60',
  },
  BackupOverdue: { wayquest_backup_newest_timestamp_seconds: '-100000x60' },
  TraceExportFailing: { 'wayquest_spans_total{outcome="lost"}': '40+40x60' },
  PlaceRequestsOverdue: { wayquest_moderation_overdue_cases: '2x60' },
  HighLoginFailures: { [securityEvents('login-failed')]: '0+20x60' },
  HighRateLimitRejections: { [securityEvents('rate-limited')]: '0+600x60' },
  PointsAwaitingReview: { [securityEvents('points-flagged')]: '0x30 1x30' },
  AdminRightsChanged: { [securityEvents('rights-changed')]: '0x42 1x17' },
  UnusualAdminActivity: { [securityEvents('admin-action')]: '0+10x60' },
};

/** A time after which the waiting time (`for`) of each alert has passed. */
const evaluatedAt = '45m';

/** Creates a file for `promtool test rules`: with each fault, only its own alert fires and no other one is pending. */
export const alertTests = (ruleFiles: string[]) => ({
  rule_files: ruleFiles,
  evaluation_interval: '1m',
  tests: Object.entries({ '': {}, ...faults }).map(([alert, fault]) => ({
    name: alert || 'no fault',
    interval: '1m',
    input_series: Object.entries({ ...healthy, ...fault }).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname, alertstate) (ALERTS)',
        eval_time: evaluatedAt,
        exp_samples: alert ? [{ labels: `{alertname="${alert}",alertstate="firing"}`, value: 1 }] : [],
      },
    ],
  })),
});

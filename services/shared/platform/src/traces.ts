// Preloaded before a program (`node --import @wayquest/platform/traces`): starts tracing if a collector is configured,
// and does nothing otherwise.
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT_FILE } = process.env;

if (OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || OTEL_EXPORTER_OTLP_ENDPOINT_FILE) {
  const { startTraces } = await import('./process/start-traces.ts');
  startTraces();
}

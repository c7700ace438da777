import { loadSettings, SettingsError, traceSettings } from '../settings/settings.ts';
import { createLogger } from '../telemetry/logging.ts';
import { createRecorder } from '../telemetry/recorder.ts';
import { setRecorder } from '../telemetry/tracing.ts';

/** Starts tracing if the environment configures it. Invalid settings are reported by the program itself. */
export function startTraces(): void {
  try {
    const settings = loadSettings(traceSettings);
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: samplingRatio } = settings;
    if (!endpoint) return;
    const logger = createLogger({ name: 'traces', level: 'info' });
    setRecorder(createRecorder({ endpoint, samplingRatio, logger }));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
  }
}

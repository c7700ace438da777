import { setTimeout as aMoment } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { type Recorder, readTraceparent } from './tracing.ts';
import { version } from './version.ts';

/** Spans are sent in batches, at this interval or at this size; spans beyond the queue's size are dropped. */
const sendEveryMs = 2_000;
const maxBatchSize = 512;
const maxQueueSize = 2_048;
/** Timeout of an export, including its retries. */
const sendWithinMs = 5_000;
/** How long a stopping process waits for the collector. */
const endWithinMs = 2_000;

const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

export interface RecorderOptions {
  /** The collector's URL, without the path of a signal. */
  endpoint: string;
  /** Sampled share of the traces that begin here, from 0 to 1. */
  share: number;
  logger: Logger;
  /** Interval of exports, in milliseconds. */
  everyMs?: number;
}

/** Wraps an exporter: counts spans, and logs when exports begin to fail and when they succeed again. */
function withOutcomes(exporter: SpanExporter, logger: Logger): SpanExporter {
  let lost = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        metrics.spans.inc({ outcome: failed ? 'lost' : 'sent' }, spans.length);
        if (failed && !lost) logger.warn({ err: result.error }, 'could not export traces');
        if (!failed && lost) logger.info('exporting traces again');
        lost = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Records OpenTelemetry spans and exports them by OTLP in the background. */
export function createRecorder({
  endpoint,
  share,
  logger,
  everyMs = sendEveryMs,
}: RecorderOptions): Recorder {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor({
    exporter: withOutcomes(new OTLPTraceExporter({ url, timeoutMillis: sendWithinMs }), logger),
    scheduledDelayMillis: everyMs,
    maxExportBatchSize: maxBatchSize,
    maxQueueSize: maxQueueSize,
    exportTimeoutMillis: 2 * sendWithinMs,
  });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  const tracers = new Map<string, Tracer>();

  /** Each service has its own resource, whether it has its own process or not. */
  const tracerOf = (service: string): Tracer => {
    const known = tracers.get(service);
    if (known) return known;
    const resource = resourceFromAttributes({
      'service.namespace': 'wayquest',
      'service.name': service,
      'service.version': version,
    });
    const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
    const tracer = provider.getTracer('wayquest', version);
    tracers.set(service, tracer);
    return tracer;
  };

  return {
    begin({ service, kind, name, parent }) {
      const known = readTraceparent(parent);
      const context = known
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: known.traceId,
            spanId: known.spanId,
            traceFlags: known.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      const span = tracerOf(service).startSpan(name, { kind: kinds[kind] }, context);
      const { traceId, spanId } = span.spanContext();
      const recorded = span.isRecording();
      return {
        traceId: recorded ? traceId : undefined,
        traceparent: `00-${traceId}-${spanId}-${recorded ? '01' : '00'}`,
        end({ name: better, attributes, failure } = {}) {
          if (better) span.updateName(better);
          if (attributes) span.setAttributes(attributes);
          if (failure !== undefined) {
            if (failure instanceof Error) span.recordException(failure);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    async end() {
      await Promise.race([
        processor.shutdown().catch(() => {}),
        aMoment(endWithinMs, undefined, { ref: false }),
      ]);
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
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
import { metrics, version } from './metrics.ts';
import { type Recorder, readTraceparent } from './tracing.ts';

/** Spans are sent in batches, at this interval or at this size; spans beyond the queue's size are dropped. */
const sendEveryMs = 2_000;
const maxBatchSize = 512;
const maxQueueSize = 2_048;
/** Timeout of an export, including its retries. */
const sendTimeoutMs = 5_000;
/** How long a stopping process waits for the collector. */
const endTimeoutMs = 2_000;

const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

export interface RecorderOptions {
  /** The collector's URL, without the path of a signal. */
  endpoint: string;
  /** Sampled share of the traces that begin here, from 0 to 1. */
  samplingRatio: number;
  logger: Logger;
  /** Interval of exports, in milliseconds. */
  everyMs?: number;
}

/** Wraps an exporter: counts spans, and logs when exports begin to fail and when they succeed again. */
function withOutcomes(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        metrics.spans.inc({ outcome: failed ? 'lost' : 'sent' }, spans.length);
        if (failed && !isFailing) logger.warn({ err: result.error }, 'could not export traces');
        if (!failed && isFailing) logger.info('exporting traces again');
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Records OpenTelemetry spans and exports them by OTLP in the background. */
export function createRecorder({
  endpoint,
  samplingRatio,
  logger,
  everyMs = sendEveryMs,
}: RecorderOptions): Recorder {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor({
    exporter: withOutcomes(new OTLPTraceExporter({ url, timeoutMillis: sendTimeoutMs }), logger),
    scheduledDelayMillis: everyMs,
    maxExportBatchSize: maxBatchSize,
    maxQueueSize,
    exportTimeoutMillis: 2 * sendTimeoutMs,
  });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplingRatio) });
  const tracers = new Map<string, Tracer>();

  /** Each service has its own resource, whether it has its own process or not. */
  const tracerOf = (service: string): Tracer => {
    const existing = tracers.get(service);
    if (existing) return existing;
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
      const parentContext = readTraceparent(parent);
      const context = parentContext
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parentContext.traceId,
            spanId: parentContext.spanId,
            traceFlags: parentContext.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      const span = tracerOf(service).startSpan(name, { kind: kinds[kind] }, context);
      const { traceId, spanId } = span.spanContext();
      const recorded = span.isRecording();
      return {
        traceId: recorded ? traceId : undefined,
        traceparent: `00-${traceId}-${spanId}-${recorded ? '01' : '00'}`,
        end({ name: newName, attributes, failure } = {}) {
          if (newName) span.updateName(newName);
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
        sleep(endTimeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}

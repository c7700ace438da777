/** A span in progress in one service: a call, or an event that is published or handled. */
export interface Span {
  /** Id of the trace; undefined if it is not recorded. */
  readonly traceId: string | undefined;
  /** The `traceparent` for the next service (W3C Trace Context). */
  readonly traceparent: string;
  end(result?: { name?: string; attributes?: Attributes; failure?: unknown }): void;
}

type Attributes = Record<string, string | number>;

export interface SpanStart {
  service: string;
  kind: 'server' | 'producer' | 'consumer';
  name: string;
  /** The parent's `traceparent`. Without a valid one, the span begins a new trace. */
  parent: string | undefined;
}

/** Records spans. Exists only if a collector is configured: see `traces.ts`. */
export interface Recorder {
  begin(start: SpanStart): Span;
  /** Exports pending spans, with a timeout. */
  end(): Promise<void>;
}

let recorder: Recorder | undefined;

/** Sets the recorder of all further spans, or removes it. */
export const setRecorder = (newRecorder?: Recorder): void => {
  recorder = newRecorder;
};

/** Begins a span; returns undefined without a recorder. */
export const startSpan = (start: SpanStart): Span | undefined => recorder?.begin(start);

/** Exports pending spans. */
export const endTraces = async (): Promise<void> => recorder?.end();

/** Header from the gateway to the services. The gateway does not pass on a client's own. */
export const traceparentHeader = 'traceparent';

/** W3C Trace Context, version 00: trace, parent, flags. Ids of zeros are invalid. */
const traceparentPattern = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

export interface Parent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** Parses a `traceparent`; returns undefined if it is malformed. */
export function readTraceparent(header: unknown): Parent | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && traceparentPattern.exec(header)) || [];
  return traceId && spanId && flags
    ? { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined;
}

/** The name, attributes and failure of a span that served a call. */
export const callSpan = (call: { operation: string; status: number; requestId: string }) => {
  const { operation, status, requestId } = call;
  return {
    name: operation,
    attributes: { 'http.response.status_code': status, 'wayquest.request_id': requestId },
    ...(status >= 500 && { failure: status }),
  };
};

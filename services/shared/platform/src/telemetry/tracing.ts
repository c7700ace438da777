/** A span in progress in one service: a call, or an event that is published or handled. */
export interface Step {
  /** Of all steps of the action; undefined if it is not recorded. */
  readonly traceId: string | undefined;
  /** The `traceparent` for the next service (W3C Trace Context). */
  readonly traceparent: string;
  end(how?: { name?: string; attributes?: Attributes; failure?: unknown }): void;
}

type Attributes = Record<string, string | number>;

export interface StepStart {
  service: string;
  kind: 'server' | 'producer' | 'consumer';
  name: string;
  /** The `traceparent` of the step that it follows; it begins a trace of its own without one, or with what is none. */
  parent: string | undefined;
}

/** What records steps. There is one only where a collector was named: see `traces.ts`. */
export interface Recorder {
  begin(start: StepStart): Step;
  /** Sends what there is, as far as that takes no long time. */
  end(): Promise<void>;
}

let recorder: Recorder | undefined;

/** From here on steps are recorded by this one; by none if not said. */
export const recordWith = (given?: Recorder): void => {
  recorder = given;
};

/** Begins a step; without a recorder there is none. */
export const beginStep = (start: StepStart): Step | undefined => recorder?.begin(start);

/** Sends what was recorded last. */
export const endTraces = async (): Promise<void> => recorder?.end();

/** Header from the gateway to the services. A client's own goes no further than the gateway. */
export const traceparentHeader = 'traceparent';

/** W3C Trace Context, version 00: trace, parent, flags. Ids of nothing but zeros are none. */
const wellFormed = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

export interface Parent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** What a `traceparent` says; nothing if it is not well-formed. */
export function readTraceparent(given: unknown): Parent | undefined {
  const [, traceId, spanId, flags] = (typeof given === 'string' && wellFormed.exec(given)) || [];
  return traceId && spanId && flags
    ? { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined;
}

/** How a step ends that answered a call. */
export const callStep = (call: { operation: string; status: number; requestId: string }) => {
  const { operation, status, requestId } = call;
  return {
    name: operation,
    attributes: { 'http.response.status_code': status, 'wayquest.request_id': requestId },
    ...(status >= 500 && { failure: status }),
  };
};

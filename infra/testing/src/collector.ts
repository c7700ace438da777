import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const Attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }),
    }),
  )
  .default([])
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
  );

/** The part of OTLP's JSON that tests read. */
const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              status: z.object({ code: z.number().optional() }).default({}),
              attributes: Attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

type OtlpSpan = z.output<typeof Traces>['resourceSpans'][number]['scopeSpans'][number]['spans'][number];

/** A span, with its service. */
export interface ReceivedSpan extends OtlpSpan {
  service: string;
}

/** An OpenTelemetry collector that stores the traces it receives. */
export interface Collector extends AsyncDisposable {
  url: string;
  /** The received spans. */
  spans: ReceivedSpan[];
  /** The spans of a request's trace as `service name`, after `parent → ` if they have one; unordered. */
  edgesOf(requestId: string): string[];
}

/** Starts a collector. With `hang`, it accepts connections and never responds. */
export async function startCollector({ hang = false } = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = Traces.parse(await json(request));
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service: String(resource.attributes['service.name']) });
    if (!hang) response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const labelOf = ({ service, name }: ReceivedSpan) => `${service} ${name}`;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    edgesOf(requestId) {
      const [first] = spans.filter(({ attributes }) => attributes['wayquest.request_id'] === requestId);
      const trace = spans.filter(({ traceId }) => traceId === first?.traceId);
      return trace.map((span) => {
        const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
        return parent ? `${labelOf(parent)} → ${labelOf(span)}` : labelOf(span);
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

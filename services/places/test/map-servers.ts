import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the servers received. */
export interface MapRequest {
  path: string;
  /** A parameter that is sent several times has its values joined by commas. */
  query: Record<string, string>;
  /** The fields of a form in the body. */
  form: Record<string, string>;
  userAgent: string | undefined;
}

type Responder = (request: MapRequest, response: ServerResponse) => void;

/** Responds with JSON. */
export const json =
  (body: unknown, status = 200): Responder =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Never responds. */
export const noResponse: Responder = () => {};

/** Starts a fake of Photon, Nominatim and Overpass, which responds as a test says. */
export async function startMapServers() {
  const read = async (request: IncomingMessage): Promise<MapRequest> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://maps');
    return {
      path: pathname,
      query: Object.fromEntries(
        [...searchParams.keys()].map((key) => [key, searchParams.getAll(key).join()]),
      ),
      form: Object.fromEntries(new URLSearchParams(await text(request))),
      userAgent: request.headers['user-agent'],
    };
  };
  const server = createServer(async (request, response) => {
    const received = await read(request);
    servers.requests.push(received);
    servers.respond(received, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const servers = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Received requests, oldest first. */
    requests: [] as MapRequest[],
    respond: json({ error: 'The test set no response' }, 500),
    /** Sets the response, and forgets earlier requests. */
    respondWith(respond: Responder) {
      servers.requests.length = 0;
      servers.respond = respond;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return servers;
}

export type MapServers = Awaited<ReturnType<typeof startMapServers>>;

/** A house in a response of Photon. */
export const photonHouse = (changes: Record<string, unknown> = {}) => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-73.8301, 40.7607] },
      properties: {
        osm_type: 'N',
        osm_id: 42,
        osm_key: 'amenity',
        osm_value: 'restaurant',
        type: 'house',
        name: 'The Dumpling House',
        housenumber: '136-20',
        street: '38th Avenue',
        district: 'Downtown Flushing',
        city: 'New York',
        state: 'New York',
        postcode: '11354-4232',
        country: 'United States',
        countrycode: 'US',
        ...changes,
      },
    },
  ],
});

/** A house in a response of Nominatim. */
export const nominatimHouse = (address: Record<string, string> = {}) => ({
  lat: '40.7607',
  lon: '-73.8301',
  category: 'place',
  type: 'house',
  address: {
    house_number: '136-20',
    road: '38th Avenue',
    suburb: 'Queens',
    city: 'City of New York',
    state: 'New York',
    postcode: '11354',
    country_code: 'us',
    ...address,
  },
});

/**
 * Asserts that requests at a rate of one per second took at least `count - 1` seconds: a lower bound, which a busy machine
 * can only exceed.
 *
 * @param count - Number of requests.
 * @param requests - Sends all of them.
 */
export async function expectOneRequestPerSecond<T>(count: number, requests: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await requests();
  const seconds = (performance.now() - start) / 1_000;
  // Timers of Node may be a millisecond early.
  expect(Math.round(seconds * 10) / 10).toBeGreaterThanOrEqual(count - 1);
  return result;
}

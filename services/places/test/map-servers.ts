import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  path: string;
  query: Record<string, string>;
  /** What a form says. */
  form: Record<string, string>;
  userAgent: string | undefined;
}

type Answer = (asked: Asked, response: ServerResponse) => void;

export const json =
  (body: unknown, status = 200): Answer =>
  (_asked, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Says nothing, ever. */
export const silence: Answer = () => {};

/** Photon, Nominatim and Overpass at the network. What they answer is said by whoever asks. */
export async function startMapServers() {
  const read = async (request: IncomingMessage): Promise<Asked> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://maps');
    return {
      path: pathname,
      query: Object.fromEntries(searchParams),
      form: Object.fromEntries(new URLSearchParams(await text(request))),
      userAgent: request.headers['user-agent'],
    };
  };
  const server = createServer(async (request, response) => {
    const asked = await read(request);
    servers.asked.push(asked);
    servers.answer(asked, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const servers = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [] as Asked[],
    answer: json({ error: 'Nobody said what to answer' }, 500),
    /** Says what to answer from now on; what was asked before is forgotten. */
    willAnswer(answer: Answer) {
      servers.asked.length = 0;
      servers.answer = answer;
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

/** A house as Photon tells it. */
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

/** A house as Nominatim tells it. */
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
 * Expects that so many requests at one a second took as many seconds, less the first. That is a lower bound, which a busy
 * machine can only exceed.
 *
 * @param count - how many requests are made
 * @param requests - makes them all
 */
export async function expectOneASecond<T>(count: number, requests: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await requests();
  const seconds = (performance.now() - start) / 1_000;
  // Timers of Node may be a millisecond early.
  expect(Math.round(seconds * 10) / 10).toBeGreaterThanOrEqual(count - 1);
  return result;
}

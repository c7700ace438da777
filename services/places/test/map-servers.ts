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
  at: number;
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
      at: performance.now(),
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

/** What a busy machine holds up on its way comes nearer to the next, but not all of it. */
export function expectOneASecond(asked: MapServers['asked']) {
  const pauses = asked.slice(1).map(({ at }, i) => at - (asked[i]?.at ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(500);
  expect(pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length).toBeGreaterThan(800);
}

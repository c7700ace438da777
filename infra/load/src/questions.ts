import { operations, operationUrl } from '@wayquest/contracts';
import { town, village } from './places.ts';

/** The bounding box of a screen of 1280 by 800 pixels around a position, at a zoom. */
function screen({ lat, lng }: { lat: number; lng: number }, zoom: number): string {
  const degreesPerPixel = 360 / (256 * 2 ** zoom);
  const [wide, high] = [640 * degreesPerPixel, 400 * degreesPerPixel * Math.cos((lat * Math.PI) / 180)];
  return [lng - wide, lat - high, lng + wide, lat + high].map((degrees) => degrees.toFixed(6)).join();
}

const list = (query: object) => operationUrl(operations.listChallenges, { query: { ...query } });
const clusters = (query: object) => operationUrl(operations.listChallengeClusters, { query: { ...query } });
const near = ({ lat, lng }: { lat: number; lng: number }) => `${lat},${lng}`;

const neighbourhood = screen(village, 15);
const city = screen(town, 11);
const country = screen({ lat: 39, lng: -98 }, 4);

/** The calls of a map and the list beside it. */
export const questions: [what: string, path: string][] = [
  ['all, a page', list({ limit: 24 })],
  ['all, 500', list({})],
  ['neighbourhood, list', list({ bbox: neighbourhood })],
  ['neighbourhood, list, easy', list({ bbox: neighbourhood, difficulty: 'easy' })],
  ['neighbourhood, clusters', clusters({ bbox: neighbourhood, zoom: 15 })],
  ['city, list', list({ bbox: city })],
  ['city, clusters', clusters({ bbox: city, zoom: 11 })],
  ['city, clusters, hard', clusters({ bbox: city, zoom: 11, difficulty: 'hard' })],
  ['city, list, open', list({ bbox: city, open: true })],
  ['city, clusters, open', clusters({ bbox: city, zoom: 11, open: true })],
  ['country, list', list({ bbox: country })],
  ['country, list, easy', list({ bbox: country, difficulty: 'easy' })],
  ['country, clusters', clusters({ bbox: country, zoom: 4 })],
  ['country, clusters, easy', clusters({ bbox: country, zoom: 4, difficulty: 'easy' })],
  ['country, list, rare text', list({ bbox: country, search: 'lighth' })],
  ['country, list, common text', list({ bbox: country, search: 'chall' })],
  ['city, list, common text', list({ bbox: city, search: 'chall' })],
  ['neighbourhood, list, rare and common text', list({ bbox: neighbourhood, search: 'lighth place' })],
  ['country, clusters, rare text', clusters({ bbox: country, zoom: 4, search: 'lighth' })],
  ['city, list, rare text', list({ bbox: city, search: 'lighth' })],
  ['country, clusters, open', clusters({ bbox: country, zoom: 4, open: true })],
  ['near, all of a village', list({ near: near(village), radius: 5_000 })],
  ['near, 50 of a city', list({ near: near(town), radius: 5_000, limit: 50 })],
  ['near, 50 of a city, easy', list({ near: near(town), radius: 5_000, limit: 50, difficulty: 'easy' })],
];

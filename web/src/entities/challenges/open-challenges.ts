import type { Challenge, Client, Position } from '@wayquest/contracts';

/** In kilometres: about thirty. */
const reach = 30;
const kmADegree = 111.2;

/** Where somebody wants to find something to do: around a position, or in a town by its name. */
export type Whereabouts = { position: Position } | { town: string } | null;

/** A box that goes as far in each direction, as a call writes it. */
export function boxAround({ lat, lng }: Position, km: number): string {
  const high = km / kmADegree;
  const wide = high / Math.cos((lat * Math.PI) / 180);
  const [west, east] = [Math.max(-180, lng - wide), Math.min(180, lng + wide)];
  const [south, north] = [Math.max(-90, lat - high), Math.min(90, lat + high)];
  return [west, south, east, north].map((edge) => edge.toFixed(3)).join(',');
}

const queryOf = (where: Whereabouts) => {
  if (!where) return {};
  if ('town' in where) return { search: where.town };
  return { bbox: boxAround(where.position, reach) };
};

/** Challenges that are open today, the newest first; where there are none thereabouts, the newest of all. */
export async function openChallenges(api: Client, where: Whereabouts, limit: number): Promise<Challenge[]> {
  const newest = { scope: 'all', phase: 'open', limit: String(limit) } as const;
  const near = where ? await api.listChallenges({ query: { ...newest, ...queryOf(where) } }) : [];
  return near.length > 0 ? near : api.listChallenges({ query: newest });
}

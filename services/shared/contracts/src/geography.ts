import { z } from 'zod';

export const Position = z
  .object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
  .meta({ id: 'Position' });
export type Position = z.infer<typeof Position>;

/** Any number as JavaScript prints it, such as `-1e-7` or `0.30000000000000004`. */
const coordinate = '-?\\d{1,3}(?:\\.\\d{1,25})?(?:[eE][+-]?\\d{1,3})?';
const numbers = (count: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${Array(count).fill(coordinate).join(',')}$`), `must be ${what}`)
    .transform((text) => text.split(',').map(Number));

/** west,south,east,north in degrees; west may be greater than east across the antimeridian. */
export const BoundingBox = numbers(4, 'west,south,east,north in degrees')
  .transform(([west = 0, south = 0, east = 0, north = 0]) => ({ west, south, east, north }))
  .refine(
    ({ west, south, east, north }) =>
      south <= north && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90,
    'must be west,south,east,north in degrees',
  );
export type BoundingBox = z.infer<typeof BoundingBox>;

/** lat,lng in degrees. */
export const Near = numbers(2, 'lat,lng in degrees')
  .transform(([lat = 0, lng = 0]) => ({ lat, lng }))
  .pipe(Position);

/** A radius in meters, at most 50 km (spec, section 9), as text in a query. */
export const RadiusText = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number of meters')
  .transform(Number)
  .pipe(z.int().min(1).max(50_000));

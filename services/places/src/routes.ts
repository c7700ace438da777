import { operations } from '@wayquest/contracts';
import type { HttpApp } from '@wayquest/platform';
import type { Places } from './places.ts';

export function routes(http: HttpApp, places: Places): void {
  http.serve(operations.searchPlaces, async ({ query }) => places.search(query));
  http.serve(operations.reversePlace, async ({ query }) => places.reverse(query));
  http.serve(operations.nearbyPlaces, async ({ query }) => places.nearby(query));
}

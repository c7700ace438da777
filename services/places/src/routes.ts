import { type Operation, type OperationResponse, operations } from '@wayquest/contracts';
import { type HandlerRequest, type HttpApp, ipPrefix64, ResponseWithHeaders } from '@wayquest/platform/http';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { Places } from './places.ts';
import type { Suggestions } from './suggestions.ts';

/** Responses are the same for everybody; a map that is moved back and forth loads them once. */
const headers = { 'cache-control': 'public, max-age=300' };

export function routes(
  http: HttpApp,
  { places, suggestions, limiter }: { places: Places; suggestions: Suggestions; limiter: RateLimiter },
): void {
  /** Serves an operation with a rate limit: by user id, or by network without an account. */
  const serve = <O extends Operation & { access: 'public' }>(
    operation: O,
    handle: (
      query: HandlerRequest<O>['query'],
      params: HandlerRequest<O>['params'],
    ) => Promise<OperationResponse<O> | ResponseWithHeaders<OperationResponse<O>>>,
  ) =>
    http.serve(operation, async ({ query, params, caller, address }) => {
      await limiter.count(caller ? `user ${caller.id}` : ipPrefix64(address));
      const found = await handle(query, params);
      return found instanceof ResponseWithHeaders ? found : new ResponseWithHeaders(found, { headers });
    });

  serve(operations.searchPlaces, async (query) => {
    const { found, isFallback } = await places.search(query);
    // Not cacheable: the external server may be back soon.
    return isFallback ? new ResponseWithHeaders(found) : found;
  });
  serve(operations.reversePlace, places.reverse);
  serve(operations.nearbyPlaces, places.nearby);
  serve(operations.listTowns, places.townsIn);
  serve(operations.listKnownPlaces, places.knownIn);
  serve(operations.listSuggestions, async (query) => {
    const { suggestions: found, isComplete } = await suggestions.list(query);
    return isComplete ? found : new ResponseWithHeaders(found);
  });
  serve(operations.getSuggestion, ({ language }, { id }) => suggestions.get(id, language));
}

import { type Operation, operationUrl } from '@wayquest/contracts';

interface PageRequest {
  operation: Operation;
  /** The path parameters. */
  params?: Record<string, unknown>;
  /** The validated query. */
  query: object;
  /** The page size; a shorter page is the last one. */
  limit: number;
}

/** The `Link` header (RFC 8288) to a list's next page; none after the last one. */
export function nextPageLink<T>(
  items: T[],
  { operation, params = {}, query, limit }: PageRequest,
  cursorOf: (last: T) => string | number,
): Record<string, string> {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return {};
  return nextLink(operationUrl(operation, { params, query: { ...query, cursor: cursorOf(last) } }));
}

/** The `Link` header with the cursor of the next page. */
export const nextLink = (url: string): Record<string, string> => ({ link: `<${url}>; rel="next"` });

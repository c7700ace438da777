/** Where a list goes on, by its answer's `Link` header; null after the last page. */
export function nextCursor(headers: Headers): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next ? new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') : null;
}

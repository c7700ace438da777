import { totalCountHeader } from '@wayquest/contracts';

/** The cursor of a list's next page, from the response's `Link` header; null after the last page. */
function nextCursor(headers: Headers): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next ? new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') : null;
}

/** Returns a page of a list, the cursor of the next one, and the length of the list if the response contains it. */
export async function pageOf<R>(
  load: (options: { onHeaders: (headers: Headers) => void }) => Promise<R>,
): Promise<{ data: R; next: string | null; total: number | null }> {
  let next: string | null = null;
  let total: number | null = null;
  const data = await load({
    onHeaders: (headers) => {
      next = nextCursor(headers);
      const counted = headers.get(totalCountHeader);
      total = counted === null ? null : Number(counted);
    },
  });
  return { data, next, total };
}

import { totalCountHeader } from '@wayquest/contracts';

/** Where a list goes on, by its answer's `Link` header; null after the last page. */
function nextCursor(headers: Headers): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next ? new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') : null;
}

/** A page of a list, as it was answered, where it goes on, and how long the list is, if the answer says so. */
export async function pageOf<R>(
  ask: (options: { onHeaders: (headers: Headers) => void }) => Promise<R>,
): Promise<{ answer: R; next: string | null; total: number | null }> {
  let next: string | null = null;
  let total: number | null = null;
  const answer = await ask({
    onHeaders: (headers) => {
      next = nextCursor(headers);
      const counted = headers.get(totalCountHeader);
      total = counted === null ? null : Number(counted);
    },
  });
  return { answer, next, total };
}

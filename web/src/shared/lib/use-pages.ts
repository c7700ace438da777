import { type Client, totalCountHeader } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useMutation } from './use-mutation.ts';
import { useQuery } from './use-query.ts';

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

type LoadPage<T> = (
  client: Client,
  cursor: { cursor?: string },
  options: { onHeaders: (headers: Headers) => void },
) => Promise<T[]>;

/** Loads a list page by page; another key starts again, and `null` loads nothing yet. */
export function usePages<T>(key: string | null, load: LoadPage<T>) {
  const first = useQuery(key, (client) => pageOf((options) => load(client, {}, options)));
  const [older, setOlder] = useState<{ data: T[]; next: string | null }[]>([]);
  const loadingMore = useMutation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts from its first page
  useEffect(() => setOlder([]), [key]);
  const pages = first.data && [first.data, ...older];
  const next = pages?.at(-1)?.next;
  return {
    ...first,
    items: pages?.flatMap(({ data }) => data),
    loadingMore,
    /** Loads the next page; undefined after the last one. */
    more: next
      ? () =>
          void loadingMore.mutate(
            (client) => pageOf((options) => load(client, { cursor: next }, options)),
            (page) => setOlder([...older, page]),
          )
      : undefined,
  };
}

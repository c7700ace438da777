import { type Client, totalCountHeader } from '@wayquest/contracts';
import { useRef, useState } from 'react';
import { idle } from './request-status.ts';
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

interface Page<T> {
  data: T[];
  next: string | null;
}

/** Loads a list page by page; another key starts again, and `null` loads nothing yet. */
export function usePages<T>(key: string | null, load: LoadPage<T>) {
  const first = useQuery(key, (client) => pageOf((options) => load(client, {}, options)));
  // With the first page that they follow: a page that arrives after another list was loaded belongs to the earlier one.
  const [older, setOlder] = useState<{ after: Page<T> | null; pages: Page<T>[] }>({ after: null, pages: [] });
  const loadingMore = useMutation();
  const [loadingAfter, setLoadingAfter] = useState<Page<T> | null>(null);
  const shown = useRef(first.data);
  shown.current = first.data;
  const olderPages = older.after === first.data ? older.pages : [];
  const pages = first.data && [first.data, ...olderPages];
  const next = pages?.at(-1)?.next;
  const more = (cursor: string) => {
    const after = first.data;
    setLoadingAfter(after);
    void loadingMore.mutate(
      (client) => pageOf((options) => load(client, { cursor }, options)),
      (page) => {
        if (shown.current === after) setOlder({ after, pages: [...olderPages, page] });
      },
    );
  };
  return {
    ...first,
    items: pages?.flatMap(({ data }) => data),
    loadingMore: loadingAfter === first.data ? loadingMore : idle,
    /** Loads the next page; undefined after the last one. */
    more: next ? () => more(next) : undefined,
  };
}

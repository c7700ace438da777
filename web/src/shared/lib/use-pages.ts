import type { Client } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { pageOf } from './next-cursor.ts';
import { useMutation } from './use-mutation.ts';
import { useQuery } from './use-query.ts';

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

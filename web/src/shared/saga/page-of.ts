/** The cursor of a list's next page, from the response's `Link` header; null after the last page. */
function nextCursor(headers: Headers): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next ? new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') : null;
}

/** Returns a page of a list, the cursor of the next one, and the response's headers. */
export async function pageOf<R>(
  load: (options: { onHeaders: (headers: Headers) => void }) => Promise<R>,
): Promise<{ data: R; next: string | null; headers: Headers }> {
  let headers = new Headers();
  const data = await load({
    onHeaders: (received) => {
      headers = received;
    },
  });
  return { data, next: nextCursor(headers), headers };
}

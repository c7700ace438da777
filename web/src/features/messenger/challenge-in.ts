import { partsOf } from './links.ts';

/** Returns the challenge page that a URL of this installation leads to. */
export function challengePageAt(href: string, origin: string): { id: number; path: string } | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  const [, id] = /^\/challenges\/([1-9]\d{0,14})\/?$/.exec(url.pathname) ?? [];
  return url.origin === origin && id ? { id: Number(id), path: url.pathname } : undefined;
}

/** Returns the first challenge whose URL a text contains. */
export function challengeIn(text: string, origin: string): number | undefined {
  for (const { href } of partsOf(text, origin)) {
    const page = href ? challengePageAt(href, origin) : undefined;
    if (page) return page.id;
  }
  return undefined;
}

import { tokenize } from 'linkifyjs';

/** A part of a text; one with an `href` is a link. */
interface TextPart {
  text: string;
  href?: string;
}

/** Chinese and Japanese punctuation and full-width characters, which follow a URL without a space. */
const eastAsianPunctuation = /[\u3000-\u303f\uff00-\uffef]/;
/** Our own URLs are ASCII, so everything else after one is text. */
const beyondAscii = /[^\x21-\x7e]/;

/**
 * Finds URLs and e-mail addresses in a text. If text follows a URL without a space, as in Chinese, the URL ends before
 * it.
 *
 * @param text - As a person wrote it.
 * @param origin - The origin of this installation, such as `https://wayquest.example`.
 * @returns The parts of the text in order; joined, they are the text.
 */
export function partsOf(text: string, origin: string): TextPart[] {
  return tokenize(text).flatMap((token): TextPart[] => {
    const matched = token.toString();
    if (!token.isLink) return [{ text: matched }];
    const isOurs = token.toHref('https').startsWith(`${origin}/`);
    const end = matched.search(isOurs ? beyondAscii : eastAsianPunctuation);
    if (end <= 0) return [{ text: matched, href: token.toHref('https') }];
    return [...partsOf(matched.slice(0, end), origin), ...partsOf(matched.slice(end), origin)];
  });
}

/**
 * Returns the ASCII form (Punycode) of a link's host if it contains other characters, some of which look like different
 * ones.
 */
export function punycodeHost(href: string): string | undefined {
  const address = href.replace(/^mailto:[^@]*@/, 'https://');
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? hostname : undefined;
}

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

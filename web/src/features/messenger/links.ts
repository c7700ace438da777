import { tokenize } from 'linkifyjs';

/** A part of a text; one with an `href` is a link. */
export interface TextPart {
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

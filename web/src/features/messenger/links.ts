import { tokenize } from 'linkifyjs';

/** A piece of a text; one with an address can be followed. */
export interface TextPart {
  text: string;
  href?: string;
}

/** What Chinese and Japanese set around an address without a space: their punctuation and full-width characters. */
const eastAsianPunctuation = /[\u3000-\u303f\uff00-\uffef]/;
/** Our own addresses are ASCII, so that whatever else follows one is text. */
const beyondAscii = /[^\x21-\x7e]/;

/**
 * Finds the web and mail addresses of a text. Where a text goes on after an address without a space, as Chinese does, the
 * address ends before that.
 *
 * @param text - As a person wrote it.
 * @param origin - Where this Wayquest is found, such as `https://wayquest.example`.
 * @returns The parts of the text in their order; joined they are the text.
 */
export function partsOf(text: string, origin: string): TextPart[] {
  return tokenize(text).flatMap((token): TextPart[] => {
    const whole = token.toString();
    if (!token.isLink) return [{ text: whole }];
    const isOurs = token.toHref('https').startsWith(`${origin}/`);
    const end = whole.search(isOurs ? beyondAscii : eastAsianPunctuation);
    if (end <= 0) return [{ text: whole, href: token.toHref('https') }];
    return [...partsOf(whole.slice(0, end), origin), ...partsOf(whole.slice(end), origin)];
  });
}

import { currentLanguage } from './catalogue.ts';

/**
 * The language of what a person wrote, for screen readers and fonts, as far as its script says so.
 *
 * @returns The value of `lang`: empty if it is another one than the page's, nobody knows which; undefined if it may be the page's.
 */
export function languageOf(text: string): string | undefined {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'ja';
  if (/\p{sc=Hang}/u.test(text)) return 'ko';
  const isChinesePage = currentLanguage() === 'zh';
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const all = count(/\p{L}/gu);
  // A Chinese word is two or three characters, so a sentence with an English name is still Chinese.
  if (count(/\p{sc=Hani}/gu) * 3 > all) return isChinesePage ? undefined : 'zh-Hans';
  return all > 0 && (isChinesePage || count(/\p{sc=Latn}/gu) * 2 < all) ? '' : undefined;
}

import { currentLanguage } from './catalogue.ts';

/**
 * The language of what a person wrote, for screen readers and fonts, as far as its script says so.
 *
 * @returns The value of `lang`: empty if it is another one than the page's, nobody knows which; undefined if it may be the page's.
 */
export function languageOf(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const all = count(/\p{L}/gu);
  // A Chinese word is two or three characters, so a sentence with an English name is still Chinese.
  if (count(/\p{Script=Han}/gu) * 3 > all) return currentLanguage() === 'zh' ? undefined : 'zh-Hans';
  const isLatin = count(/\p{Script=Latin}/gu) * 2 >= all;
  return all > 0 && (currentLanguage() === 'zh' || !isLatin) ? '' : undefined;
}

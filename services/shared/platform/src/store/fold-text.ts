/// <reference path="./opencc-js.d.ts" />
import deburr from 'lodash-es/deburr.js';
import hongKongToTraditional from 'opencc-js/dict/HKVariantsRev';
import japaneseToTraditional from 'opencc-js/dict/JPShinjitaiCharacters';
import traditionalToSimplified from 'opencc-js/dict/TSCharacters';
import taiwanToTraditional from 'opencc-js/dict/TWVariantsRev';

/** Marks that people leave out when they type, of Latin, Greek, Cyrillic, Hebrew and Arabic. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g;

/** Invisible format characters, such as soft hyphens. */
const invisible = /\p{Cf}/gu;

/** Maps letters with several forms to one of them. */
const variants: Record<string, string> = { ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' };

const katakana = /[\u30a1-\u30f6]/g;
const katakanaToHiragana = 0x60;

/** The first target of each character of a list. */
const parseCharacterMap = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list.split('|').flatMap((line): [string, string][] => {
      const [from, to] = line.split(' ');
      return from && to ? [[from, to]] : [];
    }),
  );

// Simplification comes first and last: a regional variant may be the simplified form of another character.
const hanSteps = [
  japaneseToTraditional,
  traditionalToSimplified,
  taiwanToTraditional,
  hongKongToTraditional,
  traditionalToSimplified,
].map(parseCharacterMap);

const foldHan = (character: string): string =>
  hanSteps.reduce((folded, step) => step.get(folded) ?? folded, character);

/**
 * Folds text for searches: lower case, no diacritics, plain letters for ł, ø, ß or æ, simplified Chinese characters,
 * and hiragana for katakana.
 *
 * @param text - As somebody wrote it.
 * @returns The same text for everything that a search treats as equal; symbols and spaces remain.
 */
export const foldText = (text: string): string =>
  deburr(text.normalize('NFKD').toLowerCase())
    .replace(marks, '')
    .replace(invisible, '')
    .replace(/[ςىیکة]/g, (letter) => variants[letter] ?? letter)
    .replace(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - katakanaToHiragana))
    .replace(/\p{Script=Han}/gu, foldHan);

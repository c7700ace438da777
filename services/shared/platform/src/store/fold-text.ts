/// <reference path="./opencc-js.d.ts" />
import deburr from 'lodash-es/deburr.js';
import hongKongToTraditional from 'opencc-js/dict/HKVariantsRev';
import japaneseToTraditional from 'opencc-js/dict/JPShinjitaiCharacters';
import traditionalToSimplified from 'opencc-js/dict/TSCharacters';
import taiwanToTraditional from 'opencc-js/dict/TWVariantsRev';

/** Marks that people leave out when they type: of Latin, Greek and Cyrillic, of Hebrew, and of Arabic. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g;

/** Soft hyphens and the like. */
const invisible = /\p{Cf}/gu;

/** Letters that are written in several ways, in one of them. */
const variants: Record<string, string> = { ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' };

const katakana = /[\u30a1-\u30f6]/g;
const katakanaToHiragana = 0x60;

/** The first target of each character of a list. */
const listOf = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list.split('|').flatMap((line): [string, string][] => {
      const [from, to] = line.split(' ');
      return from && to ? [[from, to]] : [];
    }),
  );

// Simplified first and last: a variant of one region may be the simplified form of another character.
const hanSteps = [
  japaneseToTraditional,
  traditionalToSimplified,
  taiwanToTraditional,
  hongKongToTraditional,
  traditionalToSimplified,
].map(listOf);

const foldHan = (character: string): string =>
  hanSteps.reduce((folded, step) => step.get(folded) ?? folded, character);

/**
 * Text as searches compare it: in lower case, without diacritics, letters such as ł, ø, ß or æ as people type them on another
 * keyboard, Chinese in simplified characters whatever it is written in, and no distinction between hiragana and katakana.
 *
 * @param text - as somebody wrote it
 * @returns the same for all texts that a search does not tell apart; signs and spaces stay
 */
export const foldText = (text: string): string =>
  deburr(text.normalize('NFKD').toLowerCase())
    .replace(marks, '')
    .replace(invisible, '')
    .replace(/[ςىیکة]/g, (letter) => variants[letter] ?? letter)
    .replace(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - katakanaToHiragana))
    .replace(/\p{Script=Han}/gu, foldHan);

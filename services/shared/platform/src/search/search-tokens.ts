/// <reference path="./opencc-js.d.ts" />
import { isDeepStrictEqual } from 'node:util';
import escapeRegExp from 'escape-string-regexp';
import deburr from 'lodash-es/deburr.js';
import type { Model } from 'mongoose';
import hongKongToTraditional from 'opencc-js/dict/HKVariantsRev';
import japaneseToTraditional from 'opencc-js/dict/JPShinjitaiCharacters';
import traditionalToSimplified from 'opencc-js/dict/TSCharacters';
import taiwanToTraditional from 'opencc-js/dict/TWVariantsRev';
import { pagesById } from '../store/migration-steps.ts';

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

/** A document that is searched by tokens; its collection has an index on them. */
export interface WithSearchTokens {
  _id: number;
  /** Its search tokens (`tokenize`). */
  words: string[];
}

const apostrophes = /['‘’ʻʼ]/g;

/** The scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The distinct words of a query, folded; an apostrophe joins two words. */
export const tokensOfQuery = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .replace(apostrophes, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu),
  ),
];

/**
 * The search tokens of texts: their distinct folded words. A word with an apostrophe yields its parts too, and one in a script
 * without spaces its suffix at each letter.
 */
export function tokenize(texts: (string | undefined)[]): string[] {
  const text = texts.join(' ');
  const words = tokensOfQuery(`${text} ${text.replace(apostrophes, ' ')}`);
  const suffixes = words.flatMap((word) =>
    [...word.matchAll(unspaced)].map(({ index }) => word.slice(index)),
  );
  return [...new Set([...words, ...suffixes])];
}

/** A token of fewer documents is selective: the index on tokens is faster than a scan in the order of the result. */
const selectiveBelow = 2_000;

/** How many tokens are checked, the longest first, which tend to be selective. */
const maxTokensChecked = 5;

/** Filter for documents with a token of this prefix. */
const withPrefix = (word: string) => ({ words: new RegExp(`^${escapeRegExp(word)}`) });

/** A search of documents by their tokens. */
export interface TokenSearch {
  filter: { $and: ({ words: RegExp } | { _id: { $in: number[] } })[] };
  /** Whether a token is selective: the filter then names the ids of the documents that have it. */
  isSelective: boolean;
}

/** Matches documents that have a token with the prefix of each word of the query; a query without words matches nothing. */
export async function searchByTokens<T extends WithSearchTokens>(
  typed: Model<T>,
  text: string,
): Promise<TokenSearch> {
  // The search needs only the fields of WithSearchTokens.
  const model = typed as unknown as Model<WithSearchTokens>;
  const queryTokens = tokensOfQuery(text);
  const isImplied = (word: string) => queryTokens.some((other) => other !== word && other.startsWith(word));
  const words = queryTokens.filter((word) => !isImplied(word)).sort((a, b) => b.length - a.length);
  for (const word of words.slice(0, maxTokensChecked)) {
    // Counting is far faster than reading as many ids.
    const options = { limit: selectiveBelow, hint: { words: 1 } };
    if ((await model.countDocuments(withPrefix(word), options)) === selectiveBelow) continue;
    const matches = await model.find(withPrefix(word), { _id: 1 }).hint({ words: 1 }).lean();
    const matchingIds = { _id: { $in: matches.map(({ _id }) => _id) } };
    const others = words.filter((other) => other !== word);
    return { filter: { $and: [matchingIds, ...others.map(withPrefix)] }, isSelective: true };
  }
  return {
    filter: { $and: words.length ? words.map(withPrefix) : [{ _id: { $in: [] } }] },
    isSelective: false,
  };
}

const batch = 1_000;

/**
 * Sets a derived field in the documents that lack it. Does not overwrite concurrent writes of the field.
 *
 * @param fields - What it is derived from.
 */
export async function backfillField<T, F extends string>(
  typed: Model<T>,
  field: string,
  fields: readonly F[],
  derive: (found: Record<F, string>) => unknown,
): Promise<void> {
  const model = typed as unknown as Model<Record<string, unknown>>;
  for (;;) {
    const found = await model
      .find({ [field]: null }, Object.fromEntries(fields.map((field) => [field, 1])))
      .limit(batch)
      .lean<(Record<F, string> & { _id: number })[]>();
    if (!found.length) return;
    await model.bulkWrite(
      found.map((one) => ({
        updateOne: {
          filter: { _id: one._id, [field]: null },
          update: { $set: { [field]: derive(one) } },
        },
      })),
    );
  }
}

/** Folds the tokens again that were stored by a version with another folding. */
async function refoldTokens(model: Model<WithSearchTokens>): Promise<void> {
  const pages = pagesById<Pick<WithSearchTokens, '_id' | 'words'>>((after) =>
    model.find(after, { words: 1 }).sort({ _id: 1 }).limit(batch).lean(),
  );
  for await (const found of pages) {
    const writes = found.flatMap(({ _id, words }) => {
      const folded = [...new Set(words.map(foldText))];
      if (isDeepStrictEqual(folded, words)) return [];
      // A concurrent write folds its tokens itself.
      return [{ updateOne: { filter: { _id, words }, update: { $set: { words: folded } } } }];
    });
    if (writes.length) await model.bulkWrite(writes);
  }
}

/**
 * Adds tokens to the documents that have none, and folds stored ones again: for a migration after folding has changed.
 *
 * @param typed - The model of the collection.
 * @param fields - The fields that the tokens come from.
 */
export async function backfillTokens<T extends WithSearchTokens>(
  typed: Model<T>,
  fields: readonly string[],
): Promise<void> {
  await backfillField(typed, 'words', fields, (found) =>
    tokenize(fields.map((field) => String(found[field] ?? ''))),
  );
  await refoldTokens(typed as unknown as Model<WithSearchTokens>);
}

import { isDeepStrictEqual } from 'node:util';
import escapeRegExp from 'escape-string-regexp';
import type { Model } from 'mongoose';
import { foldText } from './fold-text.ts';

/** What is found by its words; its collection has an index on them. */
export interface WithWords {
  _id: number;
  /** What it is found by (`wordsOf`). */
  words: string[];
}

const apostrophes = /['‘’ʻʼ]/g;

/** The scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The words of a text, each once; an apostrophe joins two to one. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .replace(apostrophes, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu),
  ),
];

/**
 * The words that something is found by. One with an apostrophe is found by its parts too, and one that is written in a
 * script without spaces by what begins at each letter.
 */
export function wordsOf(texts: (string | undefined)[]): string[] {
  const text = texts.join(' ');
  const words = wordsIn(`${text} ${text.replace(apostrophes, ' ')}`);
  const later = words.flatMap((word) => [...word.matchAll(unspaced)].map(({ index }) => word.slice(index)));
  return [...new Set([...words, ...later])];
}

/** A word that fewer have leads to them sooner than going through all in order. */
const rareBelow = 2_000;

/** The longest words are most often the rare ones. */
const mostTried = 5;

/** With a word that begins so. */
const beginning = (word: string) => ({ words: new RegExp(`^${escapeRegExp(word)}`) });

/** What a text looks for among what is found by its words. */
export interface WordSearch {
  filter: { $and: ({ words: RegExp } | { _id: { $in: number[] } })[] };
  /** Whether one of the words is rare: then it is looked for among those that have it. */
  rare: boolean;
}

/** A text finds what has for each of its words one that begins so; a text without words finds nothing. */
export async function searchByWords<T extends WithWords>(typed: Model<T>, text: string): Promise<WordSearch> {
  // Of a model the search needs only what everything with words has.
  const model = typed as unknown as Model<WithWords>;
  const asked = wordsIn(text);
  const isImplied = (word: string) => asked.some((other) => other !== word && other.startsWith(word));
  const words = asked.filter((word) => !isImplied(word)).sort((a, b) => b.length - a.length);
  for (const word of words.slice(0, mostTried)) {
    // Stores count far quicker than they hand over as many ids.
    const options = { limit: rareBelow, hint: { words: 1 } };
    if ((await model.countDocuments(beginning(word), options)) === rareBelow) continue;
    const having = await model.find(beginning(word), { _id: 1 }).hint({ words: 1 }).lean();
    const among = { _id: { $in: having.map(({ _id }) => _id) } };
    const others = words.filter((other) => other !== word);
    return { filter: { $and: [among, ...others.map(beginning)] }, rare: true };
  }
  return { filter: { $and: words.length ? words.map(beginning) : [{ _id: { $in: [] } }] }, rare: false };
}

const batch = 1_000;

/**
 * Gives a field to what has none, made of others: an instance of before may still make some, so it is done at each start.
 * Whoever writes the field meanwhile is not overwritten.
 */
export async function giveMissing<T, F extends string>(
  typed: Model<T>,
  missing: string,
  fields: readonly F[],
  made: (found: Record<F, string>) => unknown,
): Promise<void> {
  const model = typed as unknown as Model<Record<string, unknown>>;
  for (;;) {
    const found = await model
      .find({ [missing]: null }, Object.fromEntries(fields.map((field) => [field, 1])))
      .limit(batch)
      .lean<(Record<F, string> & { _id: number })[]>();
    if (!found.length) return;
    await model.bulkWrite(
      found.map((one) => ({
        updateOne: {
          filter: { _id: one._id, [missing]: null },
          update: { $set: { [missing]: made(one) } },
        },
      })),
    );
  }
}

/** One more whenever words are folded in another way. */
const foldVersion = 2;

/** Folds words that were stored by a version that did it in another way. */
async function foldAnew(model: Model<WithWords>): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Pick<WithWords, '_id' | 'words'>[] = await model
      .find({ _id: { $gt: after } }, { words: 1 })
      .sort({ _id: 1 })
      .limit(batch)
      .lean();
    const writes = found.flatMap(({ _id, words }) => {
      const folded = [...new Set(words.map(foldText))];
      if (isDeepStrictEqual(folded, words)) return [];
      // Whoever changes it meanwhile folds its words.
      return [{ updateOne: { filter: { _id, words }, update: { $set: { words: folded } } } }];
    });
    if (writes.length) await model.bulkWrite(writes);
    after = found.at(-1)?._id;
  }
}

/**
 * Gives words to what has none, and folds those of before anew, once in the life of a store.
 *
 * @param typed - the collection
 * @param fields - the fields that the words are of
 */
export async function giveWords<T extends WithWords>(
  typed: Model<T>,
  fields: readonly string[],
): Promise<void> {
  await giveMissing(typed, 'words', fields, (found) =>
    wordsOf(fields.map((field) => String(found[field] ?? ''))),
  );
  const model = typed as unknown as Model<WithWords>;
  const prepared = model.db.collection<{ _id: string; version: number }>('prepared');
  const _id = `words of ${model.collection.collectionName}`;
  if (((await prepared.findOne({ _id }))?.version ?? 1) >= foldVersion) return;
  await foldAnew(model);
  await prepared.updateOne({ _id }, { $max: { version: foldVersion } }, { upsert: true });
}

import type { ChallengeDetails } from './challenges.ts';
import { type PlaceCategory, placeCategories } from './place-categories.ts';
import keywords from './place-keywords.json' with { type: 'json' };

/**
 * Words for kinds of places, separated by spaces (`_` is a space in a word), without accents and in the singular; Chinese in
 * simplified characters. A change needs a migration of the challenges service, so that older challenges are classified again.
 */
const keywordsByCategory: Record<PlaceCategory, string> = keywords;

/** Characters of place names in traditional Chinese, each before its simplified one. */
const traditional =
  '園园館馆圖图書书橋桥電电場场術术戲戏劇剧廣广學学車车飯饭廳厅樂乐遊游藝艺動动燈灯島岛灣湾農农莊庄馬马鐵铁機机廟庙宮宫觀观長长樹树葉叶綠绿紀纪銅铜閱阅檔档賞赏攤摊鋪铺購购麵面麥麦風风濕湿庫库運运會会禮礼體体籃篮網网獅狮兒儿樓楼臺台';

interface Guesser {
  /** Matches candidates: words, and text without spaces. */
  tokens: RegExp;
  categoryByWord: ReadonlyMap<string, PlaceCategory>;
  simplified: ReadonlyMap<string, string>;
}

function newGuesser(): Guesser {
  const categoryByWord = new Map<string, PlaceCategory>();
  const unspaced: string[] = [];
  for (const placeCategory of placeCategories) {
    for (const word of keywordsByCategory[placeCategory].split(' ').map((each) => each.replace('_', ' '))) {
      categoryByWord.set(word, placeCategory);
      if (!/^[a-z]+$/.test(word)) unspaced.push(word);
    }
  }
  const longestFirst = unspaced.sort((one, other) => other.length - one.length);
  return {
    tokens: new RegExp(`${longestFirst.join('|')}|[a-z]+`, 'g'),
    categoryByWord,
    simplified: new Map(
      traditional.match(/../g)?.map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
    ),
  };
}

let cachedGuesser: Guesser | undefined;
/** Created on first use: most importers never use it. */
function guesser(): Guesser {
  cachedGuesser ??= newGuesser();
  return cachedGuesser;
}

/** The kind of the last word that names one: a botanical garden, a park museum, 公园咖啡馆. */
function guessCategory(text: string): PlaceCategory | undefined {
  const { tokens, categoryByWord } = guesser();
  return text
    .match(tokens)
    ?.map((word) =>
      [
        word,
        word.replace(/ies$/, 'y'),
        word.replace(/s$/, ''),
        word.replace(/es$/, ''),
        word.replace(/ves$/, 'f'),
      ]
        .map((form) => categoryByWord.get(form))
        .find(Boolean),
    )
    .findLast(Boolean);
}

/** Lower case without accents, simplified characters, and 'St.' as saint or street. */
const normalize = (text: string) => {
  const { simplified } = guesser();
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\p{Script=Han}/gu, (letter) => simplified.get(letter) ?? letter)
    .replace(/(^|\bof )(?:st(?:\. ?| )(?=[a-z])|sankt )/, '$1saint ')
    .replace(/\bst\b/g, 'street');
};

/** The kind of the first part of a text that names one. */
const firstGuess = (text: string, parts: RegExp) =>
  normalize(text).split(parts).map(guessCategory).find(Boolean);

type Words = Pick<ChallengeDetails, 'name' | 'locationName'>;

/**
 * Guesses the kind of a challenge's place from its texts, in English and Chinese. The name of the place counts first, unless it
 * is only an address.
 */
export const placeCategoryByWords = ({ name, locationName }: Words): PlaceCategory => {
  const place = firstGuess(locationName, /\b(?:of|at|in|by|on|near|for)\b|里(?!的)|上/);
  const address = place === 'street';
  return (address ? undefined : place) ?? firstGuess(name, /\bof\b|里(?!的)|上/) ?? place ?? 'attraction';
};

/** The kind of a challenge's place: as its creator chose, or guessed from its texts. */
export const placeCategoryOf = ({
  placeCategory,
  ...words
}: Words & { placeCategory?: PlaceCategory | undefined }): PlaceCategory =>
  placeCategory ?? placeCategoryByWords(words);

import type { SuggestionTemplate } from './places.ts';
import type { SuggestionTextKey, SuggestionTexts } from './suggestion-texts.en.ts';
import { chineseSuggestionTexts } from './suggestion-texts.zh.ts';
import { fillInChinese } from './text.ts';

/** Ids of suggestions: town center and key, as in `52.5244_13.4105_loop`. */
export const suggestionIdPattern = /^-?\d{1,2}\.\d{4}_-?\d{1,3}\.\d{4}_[\w-]{1,100}$/;

/** The end of the description of each task that has no exact place. */
const publicGround = { en: 'Stay on public ground.', zh: '请只走公共场所，不要进私人院子。' };

/** Name and description of a suggestion in one language, of the texts of that language. */
export function suggestionText(
  texts: SuggestionTexts,
  language: keyof typeof publicGround,
  { key, place }: { key: SuggestionTextKey; place: string },
): { name: string; description: string } {
  const [name, description] = texts[key];
  const space = language === 'zh' ? '' : ' ';
  return {
    // A function, since a name may contain `$&`.
    name: language === 'zh' ? fillInChinese(name, () => place) : name.replace('{place}', () => place),
    description: key === 'place' ? description : `${description}${space}${publicGround[language]}`,
  };
}

/** Whether this version has the texts of a template. */
export const isSuggestionTextKey = (key: string): key is SuggestionTextKey =>
  Object.hasOwn(chineseSuggestionTexts, key);

/** The name of a challenge for a reader: that of a suggested one in their language, as far as it is known. */
export const challengeNameIn = (
  language: keyof typeof publicGround,
  { name, template }: { name: string; template?: SuggestionTemplate | undefined },
): string =>
  language === 'zh' && template && isSuggestionTextKey(template.key)
    ? suggestionText(chineseSuggestionTexts, language, { ...template, key: template.key }).name
    : name;

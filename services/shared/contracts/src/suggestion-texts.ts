import type { SuggestionTextKey, SuggestionTexts } from './suggestion-texts.en.ts';

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
    name: name.replace('{place}', () => place),
    description: key === 'place' ? description : `${description}${space}${publicGround[language]}`,
  };
}

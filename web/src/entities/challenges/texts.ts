import type { ChallengeDetails, SuggestionTemplate } from '@wayquest/contracts';
import { currentLanguage, translateTemplate } from '../../shared/i18n/catalogue.ts';
import { languageOf } from '../../shared/i18n/text-language.ts';
import { translateChallenge } from './translations.ts';

interface Named {
  name: string;
  template?: SuggestionTemplate | undefined;
}

/** The texts of a suggested challenge in the reader's language, if its own are in another one. */
const translated = (template: SuggestionTemplate | undefined) =>
  template && currentLanguage() !== 'en' ? translateTemplate(template) : undefined;

/**
 * Name and description in the reader's language, as far as it is known: those of suggested challenges are translated, others are as
 * their creator wrote them.
 *
 * @returns `lang`: the language if it is known and not that of the page.
 */
export function textsOf({ name, description, template }: Named & { description: string }): {
  name: string;
  description: string;
  lang?: string | undefined;
} {
  if (!template) return { name, description, lang: languageOf(`${name} ${description}`) };
  return translated(template) ?? { name, description, lang: currentLanguage() === 'en' ? undefined : 'en' };
}

/** The name in the reader's language, as far as it is known. */
export const nameOf = ({ name, template }: Named): string => translated(template)?.name ?? name;

/** The area of a challenge that has no exact place: `in Nairobi`. */
export const areaSentence = ({ area, city }: Pick<ChallengeDetails, 'area' | 'city'>): string | undefined =>
  area && translateChallenge(area.kind === 'town' ? 'inTown' : 'aroundTown', { town: city });

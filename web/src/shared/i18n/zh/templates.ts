import { chineseSuggestionTexts, type SuggestionTemplate, suggestionText } from '@wayquest/contracts';

const isKnown = (key: string): key is keyof typeof chineseSuggestionTexts =>
  Object.hasOwn(chineseSuggestionTexts, key);

/** The Chinese texts of a suggestion; undefined for a template that this version does not know. */
export const chineseTemplates = ({ key, place }: SuggestionTemplate) =>
  isKnown(key) ? suggestionText(chineseSuggestionTexts, 'zh', { key, place }) : undefined;

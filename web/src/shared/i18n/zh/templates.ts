import {
  chineseSuggestionTexts,
  isSuggestionTextKey,
  type SuggestionTemplate,
  suggestionText,
} from '@wayquest/contracts';

/** The Chinese texts of a suggestion; undefined for a template that this version does not know. */
export const chineseTemplates = ({ key, place }: SuggestionTemplate) =>
  isSuggestionTextKey(key) ? suggestionText(chineseSuggestionTexts, 'zh', { key, place }) : undefined;

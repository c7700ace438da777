import { loadPart } from '../lib/load-part.ts';
import { safeLocalStorage } from '../lib/storage.ts';
import { addRules, addSentences, changeLanguage, isComplete, type Language, languages } from './catalogue.ts';

/** The values of `lang` for a page, for screen readers and fonts. */
export const languageTags: Record<Language, string> = { en: 'en', zh: 'zh-Hans' };

const storageKey = 'wayquest-language';

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The language that was chosen here before, otherwise the browser's first one that is available, or that of the page. */
function preferredLanguage(): Language {
  const candidates = [
    safeLocalStorage.getItem(storageKey) ?? '',
    ...navigator.languages,
    document.documentElement.lang,
  ];
  return candidates.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Loads a language and switches to it. */
export async function loadLanguage(language: Language): Promise<void> {
  if (!isComplete(language)) {
    const { chinese, chineseRules } = await loadPart(() => import('./zh/index.ts'));
    addRules('zh', chineseRules);
    for (const [name, sentences] of Object.entries(chinese)) addSentences('zh', name, sentences);
  }
  changeLanguage(language);
}

async function switchPageLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  document.documentElement.lang = languageTags[language];
}

/** Starts in the preferred language, or in English if the other one cannot be loaded. */
export async function startLanguage(): Promise<void> {
  const language = preferredLanguage();
  try {
    await switchPageLanguage(language);
  } catch (error) {
    console.warn(`Could not load the texts in ${language}`, error);
  }
}

/** Switches to another language, and stores the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  await switchPageLanguage(language);
  safeLocalStorage.setItem(storageKey, language);
}

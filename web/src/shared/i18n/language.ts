import { inTime } from '../lib/in-time.ts';
import { safeLocalStorage } from '../lib/storage.ts';
import {
  addReasons,
  addSentences,
  changeLanguage,
  isComplete,
  type Language,
  languages,
} from './catalogue.ts';

/** As a page is marked, so that it is read out and drawn as its writing needs. */
export const languageTags: Record<Language, string> = { en: 'en', zh: 'zh-Hans' };

const memory = 'wayquest-language';

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** What was chosen here before, else the first of the browser's that is among ours. */
function preferred(): Language {
  const wanted = [safeLocalStorage.getItem(memory) ?? '', ...navigator.languages];
  return wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Says what comes from now on in a language. */
export async function speak(language: Language): Promise<void> {
  if (!isComplete(language)) {
    const { chinese, chineseReasons } = await inTime(import('./zh/index.ts'));
    addReasons('zh', chineseReasons);
    for (const [name, sentences] of Object.entries(chinese)) addSentences('zh', name, sentences);
  }
  changeLanguage(language);
}

async function speakOnPage(language: Language): Promise<void> {
  await speak(language);
  document.documentElement.lang = languageTags[language];
}

/** Speaks the person's language from the start; English where the other one does not arrive. */
export async function startLanguage(): Promise<void> {
  const language = preferred();
  try {
    await speakOnPage(language);
  } catch (error) {
    console.warn(`The sentences in ${language} did not come`, error);
  }
}

/** Speaks another language from now on, also on the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speakOnPage(language);
  safeLocalStorage.setItem(memory, language);
}

import { isolateDirection, type SuggestionTemplate } from '@wayquest/contracts';
import { useSyncExternalStore } from 'react';
import { siteName } from '../lib/site.ts';
import type { English, Translate } from './english.ts';

/** The languages of the interface, by their own names. */
export const languages = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof languages;

type Sentences = Readonly<Record<string, string>>;

let language: Language = 'en';
const catalogues = { en: new Map<string, Sentences>(), zh: new Map<string, Sentences>() };
const listeners = new Set<() => void>();

const formatters = {
  en: { plurals: new Intl.PluralRules('en'), numbers: new Intl.NumberFormat('en') },
  zh: { plurals: new Intl.PluralRules('zh'), numbers: new Intl.NumberFormat('zh') },
};

/** The current language. */
export const currentLanguage = (): Language => language;

/** Whether a language's catalogue is loaded. */
export const isComplete = (language: Language): boolean => language === 'en' || catalogues[language].size > 0;

export const addSentences = (to: Language, name: string, sentences: Sentences): void => {
  catalogues[to].set(name, sentences);
};

/** Switches the interface to another language. */
export function changeLanguage(next: Language): void {
  language = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function find(name: string, key: string, count: unknown): string | undefined {
  const sentences = catalogues[language].get(name);
  if (typeof count !== 'number') return sentences?.[key];
  return sentences?.[`${key}_${formatters[language].plurals.select(count)}`] ?? sentences?.[key];
}

const inText = (value: string | number | undefined) =>
  typeof value === 'number' ? formatters[language].numbers.format(value) : isolateDirection(value ?? '');

/** What a language needs beside its sentences. */
export interface LanguageRules {
  /** Translates a service's English sentence about invalid fields, if it is known. */
  reasons(sentence: string): string | undefined;
  /** Translates the texts of a suggestion, if they are known. */
  templates(template: SuggestionTemplate): { name: string; description: string } | undefined;
  /** Inserts values into a sentence with placeholders. */
  fillIn(sentence: string, fill: (placeholder: string) => string): string;
  /** Puts the space between a number and its unit that `Intl` leaves out. */
  spaceUnit(text: string): string;
}

/** Of languages other than English, once they are loaded. */
const rules: { [L in Language]?: LanguageRules } = {};

export const addRules = (to: Language, its: LanguageRules): void => {
  rules[to] = its;
};

/** Translates a service's English sentence about invalid fields, if the current language has one for it. */
export const translateReasons = (sentence: string) => rules[language]?.reasons(sentence);

/** Translates the texts of a suggestion; undefined in English, which they are stored in. */
export const translateTemplate = (template: SuggestionTemplate) => rules[language]?.templates(template);

/** Puts the space between a number and its unit that `Intl` leaves out. */
export const spaceUnit = (text: string): string => rules[language]?.spaceUnit(text) ?? text;

/** Translates a problem's code; undefined in English, which services respond in. */
export const translateProblem = (code: string): string | undefined => {
  const sentence = find('problems', code, undefined);
  return (
    sentence &&
    rules[language]?.fillIn(sentence, (name) => (name === 'site' ? inText(siteName) : `{${name}}`))
  );
};

const fillInEnglish: LanguageRules['fillIn'] = (sentence, fill) =>
  sentence.replace(/\{(\w+)\}/g, (_, placeholder: string) => fill(placeholder));

/**
 * Registers a feature's English sentences, which are part of its code. Other languages are loaded when they are chosen.
 */
export function catalogue<N extends keyof English>(name: N, english: English[N] & Sentences) {
  addSentences('en', name, english);
  const createTranslate =
    (): Translate<English[N]> =>
    (key, ...[values]) => {
      const parameters: Record<string, string | number> = values ?? {};
      const sentence = find(name, String(key), parameters.count) ?? String(key);
      const fillIn = rules[language]?.fillIn ?? fillInEnglish;
      return fillIn(sentence, (placeholder) =>
        inText(placeholder === 'site' ? siteName : parameters[placeholder]),
      );
    };
  // One function for each language, so that memoized values that depend on it are computed again.
  const translators: Record<Language, Translate<English[N]>> = {
    en: createTranslate(),
    zh: createTranslate(),
  };
  return {
    /** For texts that are not updated when the language changes. */
    translate: createTranslate(),
    /** For components, which are rendered again when the language changes. */
    useTranslations: () => translators[useSyncExternalStore(subscribe, currentLanguage, currentLanguage)],
  };
}

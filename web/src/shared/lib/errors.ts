import type { CallError } from '@wayquest/contracts';
import { translateProblem, translateReasons } from '../i18n/catalogue.ts';
import { translateCommon as translate, useCommonTranslations } from '../i18n/common.ts';
import { siteName } from './site.ts';

/** Compares the name, since importing the class would add all schemas to the first load. */
const isCallError = (error: unknown): error is CallError =>
  error instanceof Error && error.name === 'CallError';

/** The problem code of a failed call, if it has one. */
export const problemCodeOf = (error: unknown) => (isCallError(error) ? error.problem?.code : undefined);

/** Whether the server no longer accepts the token. */
export const isEndOfSession = (code: ReturnType<typeof problemCodeOf>): boolean =>
  code === 'invalid-token' || code === 'suspended';

/**
 * Whether the server itself, not a proxy, rejected the call: repeating it would have the same result. After the end of a session
 * it would not, once the person has logged in again.
 */
export const isRejected = (error: unknown) =>
  isCallError(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429 &&
  error.problem?.code !== 'bad-gateway' &&
  !isEndOfSession(error.problem?.code);

/** Whether there was no response. */
export const isUnreachable = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/**
 * Services respond in English, with the name of the software instead of the installation's; in another language the sentence is
 * looked up by the code, with the time in it.
 */
const localized = ({ message, problem }: CallError) =>
  (problem?.code === 'invalid-request' ? translateReasons(message) : undefined) ??
  (problem && translateProblem(problem.code))?.replace(
    '{moment}',
    /\d{4}-[-\d: ]+\d/.exec(message)?.[0] ?? '',
  ) ??
  message.replace('Wayquest', () => siteName);

/** Errors by their sentences, to translate recent ones again. */
const recentErrors = new Map<string, unknown>();
const maxRecent = 50;

/** Returns an error as a sentence for the person. */
export function sentenceOf(error: unknown): string {
  const sentence = isCallError(error)
    ? localized(error)
    : translate(isUnreachable(error) ? 'unreachable' : 'internalError');
  if (recentErrors.size === maxRecent) recentErrors.clear();
  recentErrors.set(sentence, error);
  return sentence;
}

/** Returns an error's sentence in the current language; any other text unchanged. */
export function useErrorSentence<T>(text: T): T | string {
  useCommonTranslations();
  return typeof text === 'string' && recentErrors.has(text) ? sentenceOf(recentErrors.get(text)) : text;
}

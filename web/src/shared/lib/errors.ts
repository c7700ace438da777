import type { CallError } from '@wayquest/contracts';
import { sayProblem, sayReasons } from '../i18n/catalogue.ts';
import { sayCommon as say, useCommonTranslations } from '../i18n/common.ts';

/** By name, since the class itself would pull every schema into the first load. */
const isCallError = (error: unknown): error is CallError =>
  error instanceof Error && error.name === 'CallError';

/** The stable code of a call's problem, where there is one. */
export const problemCodeOf = (error: unknown) => (isCallError(error) ? error.problem?.code : undefined);

/** Whether the server takes our token no more. */
export const isEndOfSession = (code: ReturnType<typeof problemCodeOf>): boolean =>
  code === 'invalid-token' || code === 'suspended';

/** Whether the server itself, not a proxy on the way, said no: the same again would be answered the same. */
export const isRefusal = (error: unknown) =>
  isCallError(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  error.problem?.code !== 'bad-gateway';

/** Whether there was no answer at all. */
export const isOutOfReach = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** Services respond in English; in another language the sentence is looked up by the code, with the time in it. */
const inOwnLanguage = ({ message, problem }: CallError) =>
  (problem?.code === 'invalid-request' ? sayReasons(message) : undefined) ??
  (problem && sayProblem(problem.code))?.replace('{moment}', /\d{4}-[-\d: ]+\d/.exec(message)?.[0] ?? '') ??
  message;

/** Errors by their sentence, kept no longer than a page needs them. */
const told = new Map<string, unknown>();
const toldAtMost = 50;

/** What went wrong, as a sentence for the person who tried. */
export function sentenceOf(error: unknown): string {
  const sentence = isCallError(error)
    ? inOwnLanguage(error)
    : say(isOutOfReach(error) ? 'outOfReach' : 'broken');
  if (told.size === toldAtMost) told.clear();
  told.set(sentence, error);
  return sentence;
}

/** The sentence about what went wrong in the language that is spoken now; any other text as it is. */
export function useToldAgain<T>(text: T): T | string {
  useCommonTranslations();
  return typeof text === 'string' && told.has(text) ? sentenceOf(told.get(text)) : text;
}

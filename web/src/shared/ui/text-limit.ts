import { useEffect, useRef } from 'react';
import { useFieldTranslations } from '../i18n/fields.ts';

/** The length of a text for the server, which trims it, except for a password. */
const lengthOf = (text: string, isTrimmed: boolean): number => (isTrimmed ? text.trim() : text).length;

/** Whether a text exceeds the server's limit. */
export const isTooLong = (text: string, limit: number): boolean => lengthOf(text, true) > limit;

/** The length from which on a field shows a counter: nine tenths of its limit, or 45 characters before that of a long one. */
const counterFrom = (limit: number) => (limit < 100 ? 0.9 * limit : Math.min(0.9 * limit, limit - 45));

export type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Allows a text that exceeds its limit, instead of truncating it as `maxLength` does. Reports the excess, and prevents
 * the form from being submitted (`setCustomValidity`): the browser focuses the field.
 *
 * @param text - The field's current text.
 * @param limit - Of `textLimits`, in the server's units.
 * @returns A ref for the field, the error to show, and the counter.
 */
export function useTextLimit<E extends Field>(text: string, limit: number, isTrimmed = true) {
  const t = useFieldTranslations();
  const ref = useRef<E>(null);
  const length = lengthOf(text, isTrimmed);
  const count = length - limit;
  const error = count > 0 ? t('tooLong', { length, limit, count }) : undefined;
  const counter = count <= 0 && length >= counterFrom(limit) ? t('lettersOf', { length, limit }) : undefined;
  useEffect(() => ref.current?.setCustomValidity(error ?? ''), [error]);
  return { ref, error, counter };
}

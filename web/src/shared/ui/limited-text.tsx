import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useFieldTranslations } from '../i18n/fields.ts';

/** The length of a text for the server, which trims it, except for a password. */
const lengthOf = (text: string, isTrimmed: boolean): number => (isTrimmed ? text.trim() : text).length;

/** Whether a text exceeds the server's limit. */
export const isTooLong = (text: string, limit: number): boolean => lengthOf(text, true) > limit;

/** The share of the limit from which on a long field shows a counter. */
const counterFrom = 0.9;

type Field = HTMLInputElement | HTMLTextAreaElement;

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
  const counter = count <= 0 && length >= limit * counterFrom ? t('lettersOf', { length, limit }) : undefined;
  useEffect(() => ref.current?.setCustomValidity(error ?? ''), [error]);
  return { ref, error, counter };
}

interface Controls<E extends Field> {
  limit: number;
  ref?: Ref<E> | undefined;
  value?: TextInputProps['value'];
  defaultValue?: TextInputProps['defaultValue'];
  onChange?: ((event: ChangeEvent<E>) => void) | undefined;
  error?: ReactNode;
}

/** The same for the props of a field, whether it is controlled or not. */
export function useLimitedField<E extends Field>(
  { limit, ref, value, defaultValue, onChange, error }: Controls<E>,
  isTrimmed = true,
) {
  const [typed, setTyped] = useState(String(defaultValue ?? ''));
  const limited = useTextLimit<E>(String(value ?? typed), limit, isTrimmed);
  return {
    counter: limited.counter,
    field: {
      ref: useMergedRef(limited.ref, ref),
      error: limited.error ?? error,
      errorProps: { role: 'alert' },
      onChange: (event: ChangeEvent<E>) => {
        setTyped(event.currentTarget.value);
        onChange?.(event);
      },
    },
  };
}

/** A single-line field with a length limit. */
export function LimitedTextInput({
  limit,
  ref,
  ...props
}: TextInputProps & { limit: number; ref?: Ref<HTMLInputElement> }) {
  const { field } = useLimitedField({ ...props, limit, ref });
  return <TextInput {...props} {...field} />;
}

/** A multi-line field with a length limit, and a counter shortly before it. */
export function LimitedTextarea({
  limit,
  ref,
  ...props
}: TextareaProps & { limit: number; ref?: Ref<HTMLTextAreaElement> }) {
  const { field, counter } = useLimitedField({ ...props, limit, ref });
  return (
    <Textarea
      description={counter}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      {...field}
    />
  );
}

import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useFieldTranslations } from '../i18n/fields.ts';

/** How long a text is for the server, which leaves out the white space at its ends, except in a password. */
const lengthOf = (text: string, isTrimmed: boolean): number => (isTrimmed ? text.trim() : text).length;

/** Whether a text is longer than the server takes it. */
export const isTooLong = (text: string, limit: number): boolean => lengthOf(text, true) > limit;

/** From this share of the limit on, a long field shows how much of it is used. */
const counterFrom = 0.9;

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps a text that is longer than its limit instead of cutting it as `maxLength` does, says how much is too much, and lets the
 * browser refuse to send the form until it is shorter (`setCustomValidity`): it puts the focus on the field.
 *
 * @param text - The field's current text.
 * @param limit - Of `textLimits`, in the units of the server.
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

/** The same for the props of a field, whether its value is the form's or its own. */
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

/** A field of one line that keeps a text which is too long, says so, and is not sent with it. */
export function LimitedTextInput({
  limit,
  ref,
  ...props
}: TextInputProps & { limit: number; ref?: Ref<HTMLInputElement> }) {
  const { field } = useLimitedField({ ...props, limit, ref });
  return <TextInput {...props} {...field} />;
}

/** The same of several lines, with a counter shortly before the limit. */
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

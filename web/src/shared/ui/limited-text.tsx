import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, type Ref, useState } from 'react';
import { type Field, useTextLimit } from './text-limit.ts';
import { useValidity } from './validity.tsx';

interface Controls<E extends Field> {
  limit: number;
  ref?: Ref<E> | undefined;
  value?: TextInputProps['value'];
  defaultValue?: TextInputProps['defaultValue'];
  onChange?: ((event: ChangeEvent<E>) => void) | undefined;
  error?: ReactNode;
}

/** The props of a field with a length limit, which says what is wrong with its text, whether it is controlled or not. */
export function useLimitedField<E extends Field>(
  { limit, ref, value, defaultValue, onChange, error }: Controls<E>,
  isTrimmed = true,
) {
  const [typed, setTyped] = useState(String(defaultValue ?? ''));
  const limited = useTextLimit<E>(String(value ?? typed), limit, isTrimmed);
  const validity = useValidity<E>();
  return {
    counter: limited.counter,
    field: {
      ref: useMergedRef(limited.ref, ref),
      error: limited.error ?? validity.error ?? error,
      errorProps: { role: 'alert' },
      onInvalid: validity.onInvalid,
      onChange: (event: ChangeEvent<E>) => {
        validity.clear();
        setTyped(event.currentTarget.value);
        onChange?.(event);
      },
    },
  };
}

/** A single-line field with a length limit, and a counter shortly before it, unless it has another description. */
export function LimitedTextInput({
  limit,
  ref,
  ...props
}: TextInputProps & { limit: number; ref?: Ref<HTMLInputElement> }) {
  const { field, counter } = useLimitedField({ ...props, limit, ref });
  return (
    <TextInput
      {...(counter && {
        description: counter,
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      })}
      {...props}
      {...field}
    />
  );
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

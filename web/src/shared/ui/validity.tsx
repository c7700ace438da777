import { TextInput, type TextInputProps } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/validation.ts';
import type { Field } from './text-limit.ts';

const { useTranslations } = catalogue('validation', english);

type Translate = ReturnType<typeof useTranslations>;

/** What is wrong with a field, if anything; a custom error is shown already. */
function problemOf(field: Field, t: Translate): string | undefined {
  const { valid, valueMissing, typeMismatch, tooShort, customError } = field.validity;
  if (valid || customError) return undefined;
  if (valueMissing) return t(field.type === 'radio' ? 'choose' : 'missing');
  if (typeMismatch) return t('noEmail');
  if (tooShort) return t('tooShort', { count: field.minLength });
  if (field.type === 'number' && 'min' in field) return t('noNumber', { min: field.min, max: field.max });
  return t('noDate');
}

const invalidControl = ':is(input, textarea, select):invalid';

/**
 * Shows what is wrong with a field below it, in the language of the page, instead of in the browser's bubble. The form's first
 * invalid field gets the focus, as with bubbles.
 *
 * @returns The error, the handler of `invalid` events, and a function to remove the error.
 */
export function useValidity<E extends Field>() {
  const t = useTranslations();
  const [invalid, setInvalid] = useState<E>();
  return {
    error: invalid && problemOf(invalid, t),
    onInvalid: (event: FormEvent<E>) => {
      event.preventDefault();
      const field = event.currentTarget;
      setInvalid(field);
      const first = field.form?.querySelector(invalidControl) ?? field;
      if (first === field) field.focus();
    },
    clear: () => setInvalid(undefined),
  };
}

/** A field for a date or a number that says what is wrong with its value. */
export function ValidatedInput({ onChange, error, ...props }: TextInputProps) {
  const validity = useValidity<HTMLInputElement>();
  return (
    <TextInput
      {...props}
      error={error || validity.error}
      onInvalid={validity.onInvalid}
      onChange={(event) => {
        validity.clear();
        onChange?.(event);
      }}
    />
  );
}

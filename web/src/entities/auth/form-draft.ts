import type { UseFormReturnType } from '@mantine/form';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { browserFormDrafts, type FormFields, fieldsOf, withDraft } from '../../shared/lib/form-drafts.ts';
import { selectUser } from './slice.ts';

/**
 * Returns the draft of a member's form; visitors have none.
 *
 * @param form - The form's name, with the id of what it edits.
 */
export function useFormDraft(form: string) {
  const userId = useSelector(selectUser)?.id;
  const read = useCallback(
    () => (userId === undefined ? undefined : browserFormDrafts.read(userId, form)),
    [userId, form],
  );
  const write = useCallback(
    (fields?: FormFields) => {
      if (userId !== undefined) browserFormDrafts.write(userId, form, fields);
    },
    [userId, form],
  );
  return { read, write };
}

/**
 * Like `useState` for the fields of a form, which are stored as a draft while they differ from their initial values.
 *
 * @returns The fields, and a function to change them.
 */
export function usePersistedFields<T extends object>(form: string, initial: T): [T, (fields: T) => void] {
  const { read, write } = useFormDraft(form);
  const first = useRef(initial).current;
  const [fields, setFields] = useState(() => withDraft(first, read()));
  const change = (next: T) => {
    setFields(next);
    write(JSON.stringify(next) === JSON.stringify(first) ? undefined : fieldsOf(next));
  };
  return [fields, change];
}

/**
 * Stores the values of a Mantine form as a draft while they differ from the initial ones.
 *
 * @returns A function to remove the draft, once it is saved.
 */
export function usePersistedForm<T extends object>(
  name: string,
  { values, setValues, isDirty }: Pick<UseFormReturnType<T>, 'values' | 'setValues' | 'isDirty'>,
): () => void {
  const { read, write } = useFormDraft(name);
  const shown = useRef(values);
  const isChanged = isDirty();
  useEffect(() => {
    const draft = read();
    if (draft) setValues((current) => withDraft(current, draft));
  }, [read, setValues]);
  useEffect(() => {
    // The initial values are not a draft.
    if (shown.current === values) return;
    shown.current = values;
    write(isChanged ? fieldsOf(values) : undefined);
  }, [values, isChanged, write]);
  return () => write();
}

import { Text } from '@mantine/core';
import { useErrorSentence } from '../lib/errors.ts';
import classes from './FormError.module.css';

/** Why a form was rejected, below it. */
export function FormError({ children }: { children: string | null }) {
  const text = useErrorSentence(children);
  return (
    <Text role="alert" className={classes.error ?? ''} c="var(--mantine-color-error)" size="sm" fw={600}>
      {text}
    </Text>
  );
}

import { Text } from '@mantine/core';

const focus = (element: HTMLElement | null) => element?.focus();

/** Replaces a form after success, takes its focus, and is announced to screen readers. */
export function SuccessPanel({ children }: { children: string }) {
  return (
    <Text ref={focus} tabIndex={-1} role="status" fw={600}>
      {children}
    </Text>
  );
}

import { Text } from '@mantine/core';

const focus = (element: HTMLElement | null) => element?.focus();

/** What came of a form, in its place and with its focus; told to who does not see it, too. */
export function SuccessPanel({ children }: { children: string }) {
  return (
    <Text ref={focus} tabIndex={-1} role="status" fw={600}>
      {children}
    </Text>
  );
}

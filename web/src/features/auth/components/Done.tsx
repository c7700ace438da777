import { Text } from '@mantine/core';

/** What came of a form, in its place; told to who does not see it, too. */
export function Done({ children }: { children: string }) {
  return (
    <Text role="status" fw={600}>
      {children}
    </Text>
  );
}

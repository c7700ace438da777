import { Text } from '@mantine/core';

/** Why a form was not taken, told under it. */
export function FormError({ children }: { children: string | null }) {
  return (
    <Text role="alert" c="var(--mantine-color-error)" size="sm" fw={600}>
      {children}
    </Text>
  );
}

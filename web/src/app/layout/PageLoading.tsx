import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Page } from '../../shared/ui/Page.tsx';
import { Pending } from '../../shared/ui/Pending.tsx';

/** Placeholder while a page's code is loading. */
export function PageLoading() {
  return (
    <Page>
      <VisuallyHidden component="h1">Wayquest</VisuallyHidden>
      <Pending>
        <Skeleton height={36} width="min(320px, 70%)" mb={16} />
        <Skeleton height={18} width="min(480px, 90%)" mb={32} />
        <Skeleton height={220} radius="lg" />
      </Pending>
    </Page>
  );
}

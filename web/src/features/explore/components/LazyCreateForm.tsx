import { Skeleton } from '@mantine/core';
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/lazy-extra.ts';
import { Pending } from '../../../shared/ui/Pending.tsx';
import type { CreateForm as Form } from './CreateForm.tsx';

const Loaded = lazyPart(async () => ({ default: (await import('./CreateForm.tsx')).CreateForm }));

/** The form of a window on the map: most people look at the map and never open it. */
export function CreateForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense
      fallback={
        <Pending>
          <Skeleton height={440} />
        </Pending>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}

import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Resource } from '../../../shared/lib/use-resource.ts';
import { Loaded, MoreButton } from '../../../shared/ui/Loaded.tsx';
import { Empty, FormError } from '../../../shared/ui/Message.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

/** A paged list, with its states while loading, empty or failed. */
export function PagedList<T>({
  of,
  none,
  children,
}: {
  of: Resource<T[]>;
  none: string;
  children: (item: T) => ReactNode;
}) {
  const t = useTranslations();
  return (
    <Loaded
      of={of}
      className={classes.list}
      pending={[0, 1, 2].map((place) => <Skeleton key={place} height={96} radius="md" mb={8} />)}
      empty={<Empty>{none}</Empty>}
    >
      {() => (
        <>
          <ul className={classes.list}>{of.pages.flat().map(children)}</ul>
          <MoreButton of={of}>{t('more')}</MoreButton>
          <FormError>{of.loadingMore.error}</FormError>
        </>
      )}
    </Loaded>
  );
}

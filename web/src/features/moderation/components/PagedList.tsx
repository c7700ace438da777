import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { usePages } from '../../../shared/lib/use-pages.ts';
import { Empty, Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

/** A paged list, with its states while loading, empty or failed. */
export function PagedList<T>({
  pages: { state, error, refetch, items, loadingMore, more },
  none,
  children,
}: {
  pages: ReturnType<typeof usePages<T>>;
  none: string;
  children: (item: T) => ReactNode;
}) {
  const t = useTranslations();
  if (state === 'failed') return <Failure onRetry={refetch}>{error}</Failure>;
  if (!items) {
    return (
      <Pending className={classes.list}>
        {[0, 1, 2].map((place) => (
          <Skeleton key={place} height={96} radius="md" mb={8} />
        ))}
      </Pending>
    );
  }
  if (items.length === 0) return <Empty>{none}</Empty>;
  return (
    <>
      <ul className={classes.list}>{items.map(children)}</ul>
      {more && (
        <Button variant="default" loading={loadingMore.state === 'loading'} onClick={more}>
          {t('more')}
        </Button>
      )}
      <FormError>{loadingMore.error}</FormError>
    </>
  );
}

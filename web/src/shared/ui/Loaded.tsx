import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Resource } from '../lib/use-resource.ts';
import { Failure } from './Message.tsx';
import { Pending } from './Pending.tsx';

interface Props<R> {
  of: Pick<Resource<R>, 'error' | 'data' | 'refetch'>;
  /** Placeholders while it is loading, and the class of the element around them. */
  pending: ReactNode;
  className?: string;
  /** Shown instead of an empty list. */
  empty?: ReactNode;
  children?: (data: R) => ReactNode;
}

/** What is shown of a resource: placeholders, why it could not be loaded, or its data. */
export function Loaded<R>({
  of: { error, data, refetch },
  pending,
  className = '',
  empty,
  children,
}: Props<R>) {
  if (data === null && error !== null) return <Failure onRetry={refetch}>{error}</Failure>;
  if (data === null) return <Pending className={className}>{pending}</Pending>;
  return empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children?.(data);
}

interface MoreProps {
  of: Pick<Resource<unknown>, 'more' | 'loadingMore'>;
  className?: string | undefined;
  children: string;
}

/** Loads the next page of a list; nothing after the last one. */
export function MoreButton({ of: { more, loadingMore }, className = '', children }: MoreProps) {
  if (!more) return null;
  return (
    <Button className={className} variant="default" loading={loadingMore.state === 'loading'} onClick={more}>
      {children}
    </Button>
  );
}

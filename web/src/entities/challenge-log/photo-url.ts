import { useEffect, useState } from 'react';
import { dataUrlOf } from '../../shared/lib/data-urls.ts';
import { useResource } from '../../shared/lib/use-resource.ts';

/** A photo of a log entry, which an image cannot load by its address, since that needs a token. */
interface PhotoUrl {
  /** A `data:` URL; empty until it is loaded, null if the browser could not read it. */
  url: string | null;
  error: string | null;
  refetch(): void;
}

/** Loads a photo of a log entry, once it is wanted. */
export function usePhotoUrl(
  { id, photo, size }: { id: number; photo: string; size: 'card' | 'full' },
  isWanted: boolean,
): PhotoUrl {
  const input = { params: { id, photo }, ...(size === 'card' && { query: { size } }) };
  const { error, data, refetch } = useResource('getPhoto', isWanted ? input : null);
  const [url, setUrl] = useState<string | null>('');
  useEffect(() => {
    if (data) dataUrlOf(data).then(setUrl, () => setUrl(null));
  }, [data]);
  return { url, error, refetch };
}

import { Suspense } from 'react';
import { lazyExtra } from '../../shared/lib/lazy-extra.ts';
import type { SuggestionsProps } from './Suggestions.tsx';

const Suggestions = lazyExtra(async () => (await import('./Suggestions.tsx')).default);

/** What is suggested where nothing is near. Its code comes only then. */
export const SuggestionsLater = (props: SuggestionsProps) => (
  <Suspense fallback={null}>
    <Suggestions {...props} />
  </Suspense>
);

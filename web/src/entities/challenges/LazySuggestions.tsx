import { Suspense } from 'react';
import { lazyOptional } from '../../shared/lib/lazy-loading.ts';
import type { SuggestionsProps } from './Suggestions.tsx';

const Suggestions = lazyOptional(async () => (await import('./Suggestions.tsx')).default);

/** Suggestions where nothing is nearby. Their code is loaded when they are shown. */
export const LazySuggestions = (props: SuggestionsProps) => (
  <Suspense fallback={null}>
    <Suggestions {...props} />
  </Suspense>
);

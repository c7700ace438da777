import { Suspense } from 'react';
import { lazyComponent } from '../lib/lazy-loading.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { useIsNearViewport } from '../ui/use-is-near-viewport.ts';
import type { MiniMapProps } from './MiniMap.tsx';

const MiniMap = lazyComponent(() => import('./MiniMap.tsx'));

/** A small map that fills its container, drawn once it is near the viewport. */
export function SmallMap(props: MiniMapProps) {
  const { ref, isNearViewport } = useIsNearViewport<HTMLDivElement>('0px');
  return (
    <div ref={ref} style={{ height: '100%' }}>
      {isNearViewport && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <MiniMap {...props} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}

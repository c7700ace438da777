import { useEffect, useRef, useState } from 'react';

/** Whether an element is or has been near the viewport. */
export function useIsNearViewport<E extends Element>(rootMargin: string) {
  const ref = useRef<E>(null);
  const [isNearViewport, setNearViewport] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      ([place]) => setNearViewport((was) => was || !!place?.isIntersecting),
      { rootMargin },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [rootMargin]);
  return { ref, isNearViewport };
}

import { useEffect, useRef, useState } from 'react';

/** Whether an element has come near the window, or into it; once it has, it stays so. */
export function useInSight<E extends Element>(rootMargin: string) {
  const ref = useRef<E>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      ([place]) => setInSight((was) => was || !!place?.isIntersecting),
      { rootMargin },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [rootMargin]);
  return { ref, isInSight };
}

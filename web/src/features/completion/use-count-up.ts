import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const duration = 900;

/** Counts from one number to another, once; without animation if reduced motion is preferred. */
export function useCountUp(from: number, to: number): number {
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false }) || from === to;
  const [shown, setShown] = useState(from);
  useEffect(() => {
    if (still) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, Math.max(0, now - start) / duration);
      setShown(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [from, to, still]);
  return still ? to : shown;
}

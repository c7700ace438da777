import { useEffect, useState } from 'react';

const step = 20_000;

/** Returns the current time, updated from time to time, for relative times. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), step);
    return () => clearInterval(timer);
  }, []);
  return now;
}

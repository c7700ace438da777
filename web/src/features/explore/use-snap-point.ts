import { useEffect, useRef, useState } from 'react';

/** The height of a sheet over the map. */
export type SnapPoint = 'peek' | 'half' | 'full';

/**
 * The height of the sheet: half of the map while something is open in it, then as before. It also opens once when there
 * is nothing near the person, since it then suggests challenges.
 */
export function useSnapPoint(opened: string | null, opensAtOnce: boolean, nothingNear: boolean) {
  const [rest, setRest] = useState<SnapPoint>(opensAtOnce ? 'half' : 'peek');
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was when the first was opened
  useEffect(() => (opened ? () => setRest(rest) : undefined), [opened === null]);
  useEffect(() => {
    if (opened) setRest('half');
  }, [opened]);
  const hasSuggested = useRef(false);
  useEffect(() => {
    if (!nothingNear || hasSuggested.current) return;
    hasSuggested.current = true;
    setRest((current) => (current === 'peek' ? 'half' : current));
  }, [nothingNear]);
  return [rest, setRest] as const;
}

import { useEffect, useState } from 'react';

/** The height of a sheet over the map. */
export type SnapPoint = 'peek' | 'half' | 'full';

/** The height of the sheet: half of the map while something is open in it, then as before. */
export function useSnapPoint(opened: string | null, opensAtOnce: boolean) {
  const [rest, setRest] = useState<SnapPoint>(opensAtOnce ? 'half' : 'peek');
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was when the first was opened
  useEffect(() => (opened ? () => setRest(rest) : undefined), [opened === null]);
  useEffect(() => {
    if (opened) setRest('half');
  }, [opened]);
  return [rest, setRest] as const;
}

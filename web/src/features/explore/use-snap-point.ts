import { useEffect, useState } from 'react';

/** The height of a sheet over the map. */
export type SnapPoint = 'peek' | 'half' | 'full';

/** Where the sheet rests: whatever opens in it is read beside half of the map; then it goes back to where it was. */
export function useSnapPoint(opened: string | null, opensAtOnce: boolean) {
  const [rest, setRest] = useState<SnapPoint>(opensAtOnce ? 'half' : 'peek');
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was when the first was opened
  useEffect(() => (opened ? () => setRest(rest) : undefined), [opened === null]);
  useEffect(() => {
    if (opened) setRest('half');
  }, [opened]);
  return [rest, setRest] as const;
}

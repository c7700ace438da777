import type { Position } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { useQuery } from '../../shared/lib/use-query.ts';
import { useKnownPosition } from '../../shared/ui/use-position.ts';
import { selectAuthStatus, selectUser } from '../auth/slice.ts';
import { locateTown } from './open-challenges.ts';

/**
 * The position that challenges are listed around: the person's if their browser may share it already, otherwise that of the
 * town in their profile. Undefined while loading, null if neither is known.
 */
export function useListPosition(): Position | null | undefined {
  const device = useKnownPosition();
  const isStarting = useSelector(selectAuthStatus) === 'starting';
  const user = useSelector(selectUser);
  const town = user?.city.trim();
  const { state, data } = useQuery(
    device === null && town ? JSON.stringify([town, user?.state]) : null,
    (api) => locateTown(api, { town: town ?? '', state: user?.state.trim() ?? '' }),
  );
  if (device !== null) return device;
  if (isStarting) return undefined;
  if (!town) return null;
  if (state === 'idle' || state === 'loading') return undefined;
  return data && 'position' in data ? data.position : null;
}

import { suggestionIdPattern } from '@wayquest/contracts';
import { useLocation, useNavigate } from 'react-router-dom';
import { logoutKey, type Storages } from './form-drafts.ts';
import { isId } from './query-params.ts';
import type { ReturnTo } from './return-to.ts';
import { safeLocalStorage, safeSessionStorage, storedJson } from './storage.ts';

/** The id of a challenge, or of a suggestion whose challenge the first person to join creates. */
export type Joinable = number | string;

/**
 * What a visitor wants to join once they have an account. It is stored for this tab, also during a visit to Google, and expires, also
 * with a logout: somebody else may sign up there later. Login and sign-up show it.
 */
export interface IntendedJoin {
  read(): Joinable | undefined;
  write(joinable: Joinable): void;
  clear(): void;
}

const key = 'wayquest-join';

/** Long enough to sign up, also with Google; then the person is gone. */
const ttlMs = 30 * 60_000;

const isJoinable = (value: unknown): value is Joinable =>
  typeof value === 'number' ? isId(value) : typeof value === 'string' && suggestionIdPattern.test(value);

/** An intended join in a browser's storages, which people and other programs can change. */
export function intendedJoinIn({ session, local }: Storages, now = () => Date.now()): IntendedJoin {
  const lastLogout = () => local.getItem(logoutKey) ?? '';
  return {
    read() {
      const stored = storedJson(session, key);
      if (typeof stored !== 'object' || stored === null) return undefined;
      if (!('joins' in stored && 'at' in stored && 'logout' in stored)) return undefined;
      const { joins, at, logout } = stored;
      // Also if the device's clock was set back.
      const isFresh = typeof at === 'number' && Math.abs(now() - at) < ttlMs && logout === lastLogout();
      return isFresh && isJoinable(joins) ? joins : undefined;
    },
    write: (joins) => void session.setItem(key, JSON.stringify({ joins, at: now(), logout: lastLogout() })),
    clear: () => session.removeItem(key),
  };
}

export const browserIntendedJoin = intendedJoinIn({ session: safeSessionStorage, local: safeLocalStorage });

/** Sends a visitor to the sign-up, after which they have joined. */
export function useSignUpToJoin(): (joinable: Joinable) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (joinable) => {
    browserIntendedJoin.write(joinable);
    const state: ReturnTo = { from: pathname + search };
    navigate('/signup', { state });
  };
}

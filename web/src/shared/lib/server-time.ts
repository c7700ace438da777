import { safeLocalStorage, storedJson } from './storage.ts';
import { storedAtHeader } from './stored-at.ts';

/** One moment by two clocks, in milliseconds: a response says what time it is at the server. */
interface Moment {
  server: number;
  device: number;
}

const key = 'wayquest-server-time';

/** A deviation below this is the time that a response takes, and the rounding of its date. */
const toleranceMs = 2_000;

let last: Moment | undefined;

const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' &&
  value !== null &&
  ['server', 'device'].every((clock) => Number.isFinite(new Map(Object.entries(value)).get(clock)));

function lastMoment(): Moment | undefined {
  if (!last) {
    const stored = storedJson(safeLocalStorage, key);
    if (isMoment(stored)) last = stored;
  }
  return last;
}

/**
 * Learns the server's time from a response, unless that is an older one from the service worker's cache, or from a proxy or a
 * hotspot, whose clocks may be wrong.
 */
export function learnServerTime({ headers }: Response): void {
  const server = Date.parse(headers.get('date') ?? '');
  const isOurs = /json|svg/.test(headers.get('content-type') ?? '') && !headers.has(storedAtHeader);
  if (!isOurs || Number.isNaN(server)) return;
  const isNews = Math.abs(serverNow() - server) > toleranceMs;
  const device = Date.now();
  // Also renewed after a while: a device whose clock was reset is then known to be wrong.
  if (last && !isNews && device - last.device < 60_000) return;
  last = { server, device };
  safeLocalStorage.setItem(key, JSON.stringify(last));
}

/**
 * The current time by the server's clock, in milliseconds, as far as it is known. The device's clock may be wrong by minutes or
 * years, and may be set while the page is open, so only its differences since the last response are used; a clock that went back
 * since then was set.
 */
export function serverNow(): number {
  const moment = lastMoment();
  return moment ? moment.server + Math.max(0, Date.now() - moment.device) : Date.now();
}

/** How many whole seconds ago something was, by the server's clock. */
export const secondsSince = (time: number): number => Math.max(0, Math.round((serverNow() - time) / 1_000));

/**
 * Asks the server for its time. Before an age is sent: the device's clock may have been set since it was taken.
 *
 * @returns Whether there was a response.
 */
export async function askServerTime(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(5_000);
    learnServerTime(await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal }));
    return true;
  } catch {
    return false;
  }
}

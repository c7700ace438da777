import { operations, type RegistrationMode } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { readFromService } from './service-reads.ts';
import type { Upstreams } from './upstreams.ts';

/** Returns who can create an account; undefined if that is not all there is to say, and as long as auth has not said it. */
export type ReadRegistration = () => Promise<RegistrationMode | undefined>;

/** It changes with a restart of auth only. */
const cacheMs = 30_000;

/** An unavailable service is not called for each page. */
const failureMs = 1_000;

/**
 * Creates the reading of who can create an account, for pages that offer it: told with the page, it costs a visitor no request,
 * and the page does not move. A page waits for it only if it was read more than a minute ago: others say what was true
 * until then, and all of them do while auth does not respond.
 */
export function createReadRegistration({
  upstreams,
  clock,
}: {
  upstreams: Upstreams;
  clock: Clock;
}): ReadRegistration {
  const { getRegistration } = operations;
  let known: RegistrationMode | undefined;
  let until = 0;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const response = await readFromService(upstreams, getRegistration, getRegistration.path);
      const { registration, openId } = getRegistration.response.parse(response);
      // A provider that lets people in is a way to sign up.
      known = registration === 'closed' && openId?.signUp ? undefined : registration;
      until = clock.now() + cacheMs;
    } catch {
      until = clock.now() + failureMs;
    }
    reading = undefined;
  };

  return async () => {
    if (until <= clock.now()) reading ??= read();
    if (known === undefined || until + cacheMs <= clock.now()) await reading;
    return known;
  };
}

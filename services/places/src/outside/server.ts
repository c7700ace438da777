import { Problem } from '@wayquest/platform/core';
import type { Logger } from '@wayquest/platform/telemetry';
import type { z } from 'zod';
import type { Pace } from './pace.ts';

/** An external server. */
export interface OutsideServer {
  /** Its validated response. Every failure is `places-unavailable` for the person, with its cause in the log. */
  ask<S extends z.ZodType>(request: OutsideRequest<S>): Promise<z.output<S>>;
}

export interface OutsideRequest<S extends z.ZodType> {
  path: string;
  /** A list is sent as one parameter for each of its values. */
  query?: Record<string, string | number | readonly string[]>;
  /** Sent as a form, by POST. */
  form?: Record<string, string>;
  answer: S;
  /** For background work: the account that it is done for. */
  workFor?: number;
}

export interface OutsideOptions {
  name: string;
  url: string;
  contact: string;
  pace: Pace;
  logger: Logger;
  timeoutMs: number;
  /** How long a person's call waits for its turn, in milliseconds. */
  turnTimeoutMs: number;
  /** Aborted when the service stops. */
  closing: AbortSignal;
}

/** The outcome, unless the signal is aborted first. */
function unless<T>(signal: AbortSignal, outcome: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Calls a server at its rate, with our name and contact. */
export function createOutsideServer(options: OutsideOptions): OutsideServer {
  const { name, url, contact, pace, logger, timeoutMs, turnTimeoutMs, closing } = options;
  const headers = { accept: 'application/json', 'user-agent': `Wayquest (${contact})` };

  const turn = (workFor: number | undefined) =>
    workFor === undefined
      ? unless(AbortSignal.any([closing, AbortSignal.timeout(turnTimeoutMs)]), pace.turn())
      : unless(closing, pace.turnOfWork(workFor));

  const fetchJson = async (path: string, form?: Record<string, string>): Promise<unknown> => {
    const response = await fetch(url + path, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers,
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}`);
    return response.json();
  };

  return {
    async ask({ path, query = {}, form, answer, workFor }) {
      try {
        await turn(workFor);
        const search = new URLSearchParams();
        for (const [key, value] of Object.entries(query))
          for (const each of [value].flat()) search.append(key, String(each));
        return answer.parse(await fetchJson(search.size ? `${path}?${search}` : path, form));
      } catch (error) {
        logger.warn({ err: error, server: name, path }, 'place lookup failed');
        throw new Problem('places-unavailable', { cause: error });
      }
    },
  };
}

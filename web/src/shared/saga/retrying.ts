import type { Action } from '@reduxjs/toolkit';
import { buffers, type Channel } from 'redux-saga';
import { actionChannel, call, delay, race, type SelectEffect, take } from 'redux-saga/effects';

/** Pauses between attempts without an occasion, in milliseconds: doubled after each, up to the longest. */
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

interface Retrying {
  /** Sends what waits; must not throw. */
  attempt: () => Generator;
  /** Selects whether something waits that may be sent. */
  selectWaits: SelectEffect;
  /** Types of actions after which there is an attempt at once. */
  occasions: string[];
  /** Types of actions after which something waits that was just tried. */
  stored: string[];
}

/**
 * Attempts to send at each occasion, and from time to time while something waits: a proxy may reject calls while the socket stays
 * connected. An occasion during an attempt leads to another one, since the attempt may fail because of the time before it.
 */
export function* retrying({ attempt, selectWaits, occasions, stored }: Retrying) {
  const actions: Channel<Action<string>> = yield actionChannel([...occasions, ...stored], buffers.sliding(1));
  for (let attempts = 0; ; ) {
    const waits: boolean = yield selectWaits;
    const { action }: { action?: Action<string> } = yield race({
      action: take(actions),
      ...(waits && { pause: delay(Math.min(firstPauseMs * 2 ** attempts, longestPauseMs)) }),
    });
    attempts = action ? 0 : attempts + 1;
    if (!action || !stored.includes(action.type)) yield call(attempt);
  }
}

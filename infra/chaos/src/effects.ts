import { Action, type Call, type FaultRecord } from './history.ts';

const kinds = Action.options.map(({ shape }) => shape.kind.value);

/** The effect of a fault on the calls that ended before the next one. */
export interface Effect extends FaultRecord {
  calls: number;
  acknowledged: number;
  /** Calls with an unknown outcome. */
  failed: number;
  /** From the start of the first failed call to the end of the last, in milliseconds. */
  failedFor: number;
  /** From the end of the fault to the start of the last failed call, in milliseconds: by then it has recovered. */
  recoveredAfter: number;
  /** Number of failures by kind of call. */
  what: string;
}

export function effectOf(record: FaultRecord, all: Call[]): Effect {
  // A call that is under way when the next fault begins may fail because of that one.
  const calls = all.filter(({ began, ended }) => began >= record.began && ended <= record.until);
  const failed = calls.filter(({ outcome }) => outcome === 'unknown');
  const failures = new Map<string, number>();
  for (const { action } of failed) failures.set(action.kind, (failures.get(action.kind) ?? 0) + 1);
  const starts = failed.map(({ began }) => began);
  return {
    ...record,
    calls: calls.length,
    acknowledged: calls.filter(({ outcome }) => outcome === 'ok').length,
    failed: failed.length,
    failedFor: failed.length ? Math.max(...failed.map(({ ended }) => ended)) - Math.min(...starts) : 0,
    recoveredAfter: Math.max(0, Math.max(...starts) - record.ended),
    what: [...failures].map(([kind, times]) => `${kind} ${times}`).join(', '),
  };
}

/** So many calls of a kind show something. */
const enoughOfAKind = 3;

/** The kinds of calls of which none was acknowledged between the beginning of a fault and that of the next. */
function neverAcknowledged({ began, until }: FaultRecord, all: Call[]): string[] {
  const calls = all.filter((call) => call.began >= began && call.ended <= until);
  return kinds.filter((kind) => {
    const ofKind = calls.filter(({ action }) => action.kind === kind);
    return ofKind.length >= enoughOfAKind && ofKind.every(({ outcome }) => outcome === 'unknown');
  });
}

/** How often each kind of call has to be acknowledged in a run: with less, its checks have seen nothing. */
const minimumOfEachKind = 2;

/** The share of the calls during a fault and the pause after it that has to be acknowledged. */
const minimumShare = 0.1;

/**
 * Returns what makes a run worthless, or shows that the system recovers too slowly, as sentences; none for a good run.
 *
 * @param recoveryMs - So long after the end of a fault no call that begins fails.
 */
export function findShortcomings(calls: Call[], faults: FaultRecord[], recoveryMs: number): string[] {
  const acknowledged = calls.filter(({ outcome }) => outcome === 'ok');
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    ...(faults.length ? [] : ['there was no fault']),
    ...kinds
      .map((kind) => ({ kind, times: acknowledged.filter(({ action }) => action.kind === kind).length }))
      .filter(({ times }) => times < minimumOfEachKind)
      .map(({ kind, times }) => `only ${times} calls to ${kind} were acknowledged`),
    ...faults
      .map((record) => effectOf(record, calls))
      .flatMap((effect) => [
        ...(effect.acknowledged <= effect.calls * minimumShare
          ? [`${effect.fault}: only ${effect.acknowledged} of ${effect.calls} calls were acknowledged`]
          : neverAcknowledged(effect, calls).map(
              (kind) => `${effect.fault}: no call to ${kind} was acknowledged, also after it`,
            )),
        ...(effect.recoveredAfter > recoveryMs
          ? [`${effect.fault}: calls failed until ${seconds(effect.recoveredAfter)} after it`]
          : []),
      ]),
  ];
}

import { type AdaptiveLimit, createAdaptiveLimit, type Urgency } from '@wayquest/platform/async';

const lateMs = 500;

/** Creates a limit of at most 16 calls, with a clock of its own. */
function startLimit() {
  let time = 0;
  const limit = createAdaptiveLimit({
    lateMs,
    max: 16,
    overloadError: () => new Error('overloaded'),
    now: () => time,
  });
  return { limit, now: () => time, pass: (ms: number) => (time += ms) };
}

/** Begins as many calls as may be under way. */
function fill(limit: AdaptiveLimit): number {
  const calls = limit.limit();
  for (let call = 0; call < calls; call++) expect(limit.begin('first', 30_000)).toBeUndefined();
  return calls;
}

/** Begins as many calls as may be under way, which are answered after some time. */
function answerAll({ limit, now, pass }: ReturnType<typeof startLimit>, afterMs: number): void {
  const startedAt = now();
  const calls = fill(limit);
  pass(afterMs);
  for (let call = 0; call < calls; call++) limit.end(startedAt);
}

test('answers in time leave the limit at its maximum', () => {
  const started = startLimit();
  answerAll(started, lateMs);
  expect(started.limit.limit()).toBe(16);
});

test('late answers halve the limit, once for all calls that were under way', () => {
  const started = startLimit();
  answerAll(started, lateMs + 1);
  expect(started.limit.limit()).toBe(8);
  answerAll(started, lateMs + 1);
  expect(started.limit.limit()).toBe(4);
});

test('one call is always admitted', () => {
  const started = startLimit();
  for (let round = 0; round < 10; round++) answerAll(started, lateMs + 1);
  expect(started.limit.limit()).toBe(1);
});

test('a late answer halves the calls under way, if these are fewer than the limit', () => {
  const { limit, now, pass } = startLimit();
  const startedAt = now();
  for (let call = 0; call < 4; call++) limit.begin('first', 30_000);
  pass(lateMs + 1);
  limit.end(startedAt);
  expect(limit.limit()).toBe(2);
});

test('a full limit of answers in time raises it by one, up to its maximum', () => {
  const started = startLimit();
  answerAll(started, lateMs + 1);
  const { limit, now } = started;
  fill(limit);
  // Each of them is followed by another call, so the limit stays used up.
  for (let call = 0; call < 9; call++) {
    limit.end(now());
    limit.begin('first', 30_000);
  }
  expect(limit.limit()).toBe(9);
  for (let call = 0; call < 1_000; call++) {
    limit.end(now());
    while (!limit.begin('first', 0) && limit.limit() < 16);
  }
  expect(limit.limit()).toBe(16);
});

test('answers in time do not raise a limit that is not used up', () => {
  const started = startLimit();
  answerAll(started, lateMs + 1);
  const { limit, now } = started;
  for (let call = 0; call < 100; call++) {
    limit.begin('first', 30_000);
    limit.end(now());
  }
  expect(limit.limit()).toBe(8);
});

/** Makes calls wait while the limit is used up, and returns the order in which their turns come. */
async function orderOf(calls: [name: string, urgency: Urgency][]): Promise<string[]> {
  const { limit, now } = startLimit();
  fill(limit);
  const order: string[] = [];
  const turns = calls.map(([name, urgency]) => limit.begin(urgency, 30_000)?.then(() => order.push(name)));
  for (const _ of calls) {
    limit.end(now());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(turns);
  return order;
}

test('a request that has begun comes first, then the newest, then the background', async () => {
  expect(
    await orderOf([
      ['sweep', 'background'],
      ['old', 'first'],
      ['begun long ago', 'continued'],
      ['new', 'first'],
      ['begun', 'continued'],
    ]),
  ).toEqual(['begun long ago', 'begun', 'new', 'old', 'sweep']);
});

test('one in eight turns is given to the background while requests wait', async () => {
  const requests = Array.from({ length: 20 }, (_, n): [string, Urgency] => [`request ${n}`, 'continued']);
  const order = await orderOf([['relay', 'background'], ['sweep', 'background'], ...requests]);
  expect([order.indexOf('relay'), order.indexOf('sweep')]).toEqual([7, 15]);
});

test('a call whose turn does not come in time is rejected, and takes no turn', async () => {
  const { limit, now } = startLimit();
  const calls = fill(limit);
  await expect(limit.begin('first', 10)).rejects.toThrow('overloaded');
  for (let call = 0; call < calls; call++) limit.end(now());
  expect(fill(limit)).toBe(calls);
});

test('waiting calls can be rejected all at once', async () => {
  const { limit } = startLimit();
  fill(limit);
  const turns = [limit.begin('first', 30_000), limit.begin('background', 30_000)];
  expect(limit.waiting()).toBe(2);
  limit.rejectWaiting(new Error('away'));
  expect(limit.waiting()).toBe(0);
  for (const turn of turns) await expect(turn).rejects.toThrow('away');
});

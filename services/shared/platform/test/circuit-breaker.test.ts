import { type CircuitBreaker, createCircuitBreaker } from '@wayquest/platform/async';

class Timeout extends Error {}

/** Creates a breaker that opens at the third timeout; a test ends its probes. */
function startBreaker() {
  const probes: { succeed(): void; fail(): void }[] = [];
  const changes: boolean[] = [];
  const breaker = createCircuitBreaker({
    isTimeout: (error) => error instanceof Timeout,
    openError: () => new Error('refused'),
    probe: () =>
      new Promise<void>((resolve, reject) => {
        probes.push({ succeed: resolve, fail: () => reject(new Timeout()) });
      }),
    onChange: (isOpen) => changes.push(isOpen),
    threshold: 3,
    sleep: async () => {},
  });
  return { breaker, probes, changes };
}

const call = (breaker: CircuitBreaker, error?: Error) =>
  breaker
    .run(async () => {
      if (error) throw error;
      return 'done';
    })
    .catch((failure: Error) => failure.message || failure.constructor.name);

async function callAll(breaker: CircuitBreaker, errors: (Error | undefined)[]) {
  const results: string[] = [];
  for (const error of errors) results.push(await call(breaker, error));
  return results;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('after consecutive timeouts calls are rejected without being calls', async () => {
  const { breaker } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout()]);
  let calls = 0;
  await expect(breaker.run(async () => calls++)).rejects.toThrow('refused');
  expect(calls).toBe(0);
});

test('a response between timeouts keeps the circuit closed', async () => {
  const { breaker } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), undefined, new Timeout(), new Timeout()]);
  expect(await call(breaker)).toBe('done');
});

test('a late answer keeps the circuit closed as long as it is recent', async () => {
  let time = 0;
  const breaker = createCircuitBreaker({
    isTimeout: (error) => error instanceof Timeout,
    openError: () => new Error('refused'),
    probe: () => new Promise(() => {}),
    threshold: 3,
    silenceMs: 2_000,
    now: () => time,
  });
  breaker.recordAnswer();
  time = 1_999;
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout()]);
  expect(breaker.isOpen()).toBe(false);
  time = 2_000;
  await callAll(breaker, [new Timeout()]);
  expect(breaker.isOpen()).toBe(true);
});

test('other errors keep the circuit closed', async () => {
  const { breaker } = startBreaker();
  const duplicateKey = new Error('duplicate key');
  expect(await callAll(breaker, [duplicateKey, duplicateKey, duplicateKey, duplicateKey])).not.toContain(
    'refused',
  );
  expect(breaker.isOpen()).toBe(false);
});

test('one probe at a time is calls while the circuit is open', async () => {
  const { breaker, probes } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout(), undefined, undefined]);
  expect(probes).toHaveLength(1);
  probes[0]?.fail();
  await settle();
  expect(probes).toHaveLength(2);
});

test('calls are calls again as soon as a probe succeeds', async () => {
  const { breaker, probes, changes } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout()]);
  probes[0]?.fail();
  await settle();
  expect(await call(breaker)).toBe('refused');
  probes[1]?.succeed();
  await settle();
  expect(await call(breaker)).toBe('done');
  expect(changes).toEqual([true, false]);
});

test('timeouts after a successful probe are counted from one again', async () => {
  const { breaker, probes } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout()]);
  probes[0]?.succeed();
  await settle();
  await callAll(breaker, [new Timeout(), new Timeout()]);
  expect(await call(breaker)).toBe('done');
});

test('a stopped breaker sends no probes', async () => {
  const { breaker, probes } = startBreaker();
  await callAll(breaker, [new Timeout(), new Timeout(), new Timeout()]);
  breaker.stop();
  probes[0]?.fail();
  await settle();
  expect(probes).toHaveLength(1);
});

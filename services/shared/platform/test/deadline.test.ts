import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { withDeadline } from '@wayquest/platform/process';

const tooLate = () => new Error('too late');
const never = new Promise<never>(() => {});

test('work that ends in time returns its result', async () => {
  await expect(withDeadline(Promise.resolve('done'), 30_000, tooLate)).resolves.toBe('done');
});

test('work that fails in time fails with its own error', async () => {
  await expect(withDeadline(Promise.reject(new Error('no')), 30_000, tooLate)).rejects.toThrow('no');
});

test('work that does not end times out', async () => {
  await expect(withDeadline(never, 10, tooLate)).rejects.toThrow('too late');
});

test('work that ended during a stall of the process longer than the timeout does not fail', async () => {
  // In the phase in which timers run before arrived data is read.
  await new Promise((resolve) => setImmediate(resolve));
  const work = withDeadline(promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256'), 40, tooLate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  await expect(work).resolves.toHaveLength(32);
});

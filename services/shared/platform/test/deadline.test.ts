import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { withAbortSignal, withDeadline } from '@wayquest/platform/async';
import { stallProcess } from '@wayquest/testing';
import { Command } from 'ioredis';

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
  stallProcess(500);
  await expect(work).resolves.toHaveLength(32);
});

test('a call that ended during such a stall is not aborted, and one that does not end is (51.5)', async () => {
  await new Promise((resolve) => setImmediate(resolve));
  let isAborted = false;
  const work = withAbortSignal(40, async (signal) => {
    const key = await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');
    isAborted = signal.aborted;
    return key;
  });
  stallProcess(500);
  await expect(work).resolves.toHaveLength(32);
  expect(isAborted).toBe(false);
  const aborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await expect(withAbortSignal(10, aborted)).rejects.toThrow('timeout after 10 ms');
});

// Fails when ioredis does not need the patch any more (infra/docs/patched-libraries.md).
test('a command of ioredis whose response arrived during such a stall times out', async () => {
  const command = new Command('get', ['key']);
  command.setTimeout(40);
  setTimeout(() => command.resolve('the response'), 41);
  stallProcess(100);
  await expect(command.promise).rejects.toThrow('Command timed out');
});

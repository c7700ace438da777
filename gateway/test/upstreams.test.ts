import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Imports a module in a process of its own; returns whether the process's dispatcher, which `fetch` uses, is another one then. */
async function replacesDispatcher(module: string): Promise<boolean> {
  const script = `
    const dispatcher = () => globalThis[Symbol.for('undici.globalDispatcher.1')];
    await fetch('http://127.0.0.1:9').catch(() => {});
    const before = dispatcher();
    await import('${module}');
    console.log(before !== undefined && dispatcher() !== before);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--conditions=@wayquest/source', '--input-type=module', '-e', script],
    { cwd: import.meta.dirname },
  );
  return stdout.trim() === 'true';
}

test('the pools of upstreams leave the process’s fetch alone', async () => {
  expect(await replacesDispatcher('../src/upstreams.ts')).toBe(false);
});

// Fails when undici can be imported as a whole (infra/docs/patched-libraries.md).
test('undici imported as a whole does not', async () => {
  expect(await replacesDispatcher('undici')).toBe(true);
});

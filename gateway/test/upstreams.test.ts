import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Imports a module in a process of its own; returns whether it provides the process's dispatcher then, which `fetch` uses. */
async function providesDispatcher(module: string): Promise<boolean> {
  const script = `
    await import('${module}');
    console.log(globalThis[Symbol.for('undici.globalDispatcher.1')] !== undefined);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--conditions=@wayquest/source', '--input-type=module', '-e', script],
    { cwd: import.meta.dirname },
  );
  return stdout.trim() === 'true';
}

test('the pools of upstreams leave the process’s fetch alone', async () => {
  expect(await providesDispatcher('../src/upstreams.ts')).toBe(false);
});

// Fails when undici can be imported as a whole (infra/docs/patched-libraries.md).
test('undici imported as a whole does not', async () => {
  expect(await providesDispatcher('undici')).toBe(true);
});

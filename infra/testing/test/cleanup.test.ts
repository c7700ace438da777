import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@wayquest/testing';

const script = fileURLToPath(new URL('cleaning-up.process.ts', import.meta.url));

/** Runs it in a process group of its own, all of which Ctrl-C reaches, as on a terminal. */
function run(how: 'starting' | 'waiting' | 'hanging' | 'finishing') {
  const args = ['--import', 'tsx', '--conditions=@wayquest/source', script, how];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const said = () => output.trimEnd().split('\n');
  return {
    ended,
    said,
    interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    until: (line: string) => eventually(() => said().includes(line), { withinMs: 20_000 }),
  };
}

test('Ctrl-C stops everything in reverse order', async () => {
  const command = run('waiting');
  await command.until('all is up');
  command.interrupt();
  expect(await command.ended).toBe(0);
  expect(command.said().slice(-4)).toEqual([
    'stopping other',
    'stopped other',
    'stopping one',
    'stopped one',
  ]);
});

test('Ctrl-C during a start stops what has started by then, and starts nothing else', async () => {
  const command = run('starting');
  await command.until('starting one');
  command.interrupt();
  expect(await command.ended).toBe(0);
  expect(command.said()).toEqual(['starting one', 'started one', 'stopping one', 'stopped one']);
});

test('a second Ctrl-C does not wait', async () => {
  const command = run('hanging');
  await command.until('all is up');
  command.interrupt();
  await command.until('stopping other');
  command.interrupt();
  expect(await command.ended).toBe(1);
});

test('a normal end stops everything, too, and returns its exit code', async () => {
  const command = run('finishing');
  expect(await command.ended).toBe(7);
  expect(command.said().at(-1)).toBe('stopped one');
});

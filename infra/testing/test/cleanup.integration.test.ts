import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@wayquest/testing';

const script = fileURLToPath(new URL('cleanup.process.ts', import.meta.url));

/** Runs the script in its own process group, so that a signal reaches all of it, as Ctrl-C does in a terminal. */
function run(scenario: 'starting' | 'waiting' | 'hanging' | 'finishing') {
  const args = ['--import', 'tsx', '--conditions=@wayquest/source', script, scenario];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const lines = () => output.trimEnd().split('\n');
  return {
    exited,
    lines,
    interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    until: (line: string) => eventually(() => lines().includes(line), { withinMs: 20_000 }),
  };
}

test('stops everything in reverse order on Ctrl-C', async () => {
  const command = run('waiting');
  await command.until('all started');
  command.interrupt();
  expect(await command.exited).toBe(0);
  expect(command.lines().slice(-4)).toEqual([
    'stopping other',
    'stopped other',
    'stopping one',
    'stopped one',
  ]);
});

test('waits for the current start on Ctrl-C, stops it, and starts nothing else', async () => {
  const command = run('starting');
  await command.until('starting one');
  command.interrupt();
  expect(await command.exited).toBe(0);
  expect(command.lines()).toEqual(['starting one', 'started one', 'stopping one', 'stopped one']);
});

test('exits immediately with code 1 on a second Ctrl-C', async () => {
  const command = run('hanging');
  await command.until('all started');
  command.interrupt();
  await command.until('stopping other');
  command.interrupt();
  expect(await command.exited).toBe(1);
});

test('stops everything and exits with the passed code when the command finishes', async () => {
  const command = run('finishing');
  expect(await command.exited).toBe(7);
  expect(command.lines().at(-1)).toBe('stopped one');
});

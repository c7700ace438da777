import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** Runs a command as from a shell, with only these settings; returns the exit code and the output. */
const run = (command: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const args = ['--import', 'tsx', '--conditions=@wayquest/source', '--no-warnings', ...command.split(' ')];
    execFile(process.execPath, args, { cwd: root, env: { PATH, HOME, ...env } }, (error, out, problems) =>
      resolve({ code: error?.code, output: out + problems }),
    );
  });

const missingFile = '/missingFile/it-is';

const commands = [
  'services/users/src/main.ts',
  'infra/local/src/main.ts',
  'infra/local/dev/main.ts',
  // The other admin commands read their settings in the same way.
  'infra/admin/src/admin.ts grant somebody',
];

describe.each(commands)('%s', (command) => {
  test('reports an unreadable file and an invalid URL', async () => {
    const { code, output } = await run(command, { MONGO_URL_FILE: missingFile, AMQP_URL: 'localhost:5672' });
    expect(code).toBe(1);
    expect(output).toContain(
      `  MONGO_URL: MONGO_URL_FILE names ${missingFile}, which cannot be read (ENOENT)`,
    );
    expect(output).toContain('  AMQP_URL: must be an address like amqp://localhost:5672');
    expect(output).not.toMatch(/^ +at /m);
  });
});

test('the gateway reports an unreadable file and an invalid port', async () => {
  const { code, output } = await run('gateway/src/main.ts', { REDIS_URL_FILE: missingFile, PORT: '1e3' });
  expect(code).toBe(1);
  expect(output).toContain(`  REDIS_URL: REDIS_URL_FILE names ${missingFile}, which cannot be read (ENOENT)`);
  expect(output).toContain('  PORT: must be a whole number, from 0 to 65535');
  expect(output).not.toMatch(/^ +at /m);
});

const unusedAddress = '127.0.0.1:1';

test.each([
  ['infra/admin/src/admin.ts dead-letters list users', 'AMQP_URL'],
  ['infra/admin/src/admin.ts grant somebody', 'MONGO_URL'],
])('%s reports that no server responds at %s', async (command, setting) => {
  const url = setting === 'AMQP_URL' ? `amqp://${unusedAddress}` : `mongodb://${unusedAddress}`;
  const { code, output } = await run(command, { [setting]: url });
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^cannot connect to ${setting} \\(.*ECONNREFUSED.*\\)$`, 'm'));
  expect(output).not.toMatch(/^ +at /m);
});

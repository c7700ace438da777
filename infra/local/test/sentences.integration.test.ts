import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** Runs a command until it ends, as it is run from a shell, with these settings alone. */
const run = (command: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const args = ['--import', 'tsx', '--conditions=@wayquest/source', '--no-warnings', ...command.split(' ')];
    execFile(process.execPath, args, { cwd: root, env: { PATH, HOME, ...env } }, (error, out, problems) =>
      resolve({ code: error?.code, said: out + problems }),
    );
  });

const nowhere = '/nowhere/it-is';

const commands = [
  'services/users/src/main.ts',
  'infra/local/src/main.ts',
  'infra/local/dev/main.ts',
  // The other commands of an admin are told the same in the same way.
  'infra/admin/src/admin.ts grant somebody',
];

describe.each(commands)('%s', (command) => {
  test('names an unreadable file, and an invalid URL', async () => {
    const { code, said } = await run(command, { MONGO_URL_FILE: nowhere, AMQP_URL: 'localhost:5672' });
    expect(code).toBe(1);
    expect(said).toContain(`  MONGO_URL: MONGO_URL_FILE names ${nowhere}, which cannot be read (ENOENT)`);
    expect(said).toContain('  AMQP_URL: must be an address like amqp://localhost:5672');
    expect(said).not.toMatch(/^ +at /m);
  });
});

test('so does the gateway', async () => {
  const { code, said } = await run('gateway/src/main.ts', { REDIS_URL_FILE: nowhere, PORT: '1e3' });
  expect(code).toBe(1);
  expect(said).toContain(`  REDIS_URL: REDIS_URL_FILE names ${nowhere}, which cannot be read (ENOENT)`);
  expect(said).toContain('  PORT: must be a whole number, from 0 to 65535');
  expect(said).not.toMatch(/^ +at /m);
});

const none = '127.0.0.1:1';

test.each([
  ['infra/admin/src/admin.ts dead-letters list users', 'AMQP_URL'],
  ['infra/admin/src/admin.ts grant somebody', 'MONGO_URL'],
])('%s says that nothing responds at %s', async (command, setting) => {
  const url = setting === 'AMQP_URL' ? `amqp://${none}` : `mongodb://${none}`;
  const { code, said } = await run(command, { [setting]: url });
  expect(code).toBe(1);
  expect(said).toMatch(new RegExp(`^${setting}: what it names cannot be used \\(.*ECONNREFUSED.*\\)$`, 'm'));
  expect(said).not.toMatch(/^ +at /m);
});

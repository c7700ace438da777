import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The make targets have compiled it, which saves each process seconds.
const args = process.env.WAYQUEST_TEST_RUN
  ? [fileURLToPath(new URL('../dist/admin.js', import.meta.url))]
  : [
      ...['--import', 'tsx', '--conditions=@wayquest/source'],
      fileURLToPath(new URL('../src/admin.ts', import.meta.url)),
    ];

/** Runs an admin command in its own process, as `npm run admin` does. */
export const admin = (command: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    execFile(
      process.execPath,
      ['--no-warnings', ...args, ...command],
      { env: { PATH, HOME, ...env } },
      (error, out, problems) => resolve({ code: error ? Number(error.code) : 0, output: out + problems }),
    );
  });

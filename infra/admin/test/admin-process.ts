import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../src/admin.ts', import.meta.url));

/** Runs the script in a process of its own, as `npm run admin` does. */
export const admin = (args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const node = ['--import', 'tsx', '--conditions=@wayquest/source', '--no-warnings', script, ...args];
    const { PATH, HOME } = process.env;
    execFile(process.execPath, node, { env: { PATH, HOME, ...env } }, (error, out, problems) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + problems }),
    );
  });

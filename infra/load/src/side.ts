import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

const Usage = z.object({
  cpuMs: z.number(),
  heapKiB: z.number(),
  rssKiB: z.number(),
  /** The maximum event loop delay since the last request. */
  lagMs: z.number(),
});

/** Starts one of the compared programs in its own process. */
export async function startSideProcess(args: string[]) {
  const child = fork(new URL('./chat.process.ts', import.meta.url), args, {
    execArgv: ['--import=tsx', '--conditions=@wayquest/source', '--no-warnings', '--expose-gc'],
    // Its output goes to stderr, since stdout is for results.
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  });
  const nextMessage = async <S extends z.ZodType>(shape: S) => shape.parse((await once(child, 'message'))[0]);
  const { url } = await nextMessage(z.object({ url: z.string() }));
  return {
    url,
    stop: () => child.kill(),
    async usage() {
      const usage = nextMessage(Usage);
      child.send('usage');
      return usage;
    },
  };
}

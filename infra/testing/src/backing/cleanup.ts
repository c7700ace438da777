interface Stoppable {
  stop(): Promise<unknown>;
}

/** What a command has started and has to stop before it exits. */
export interface Cleanup {
  /** Registers what is being started; after `end` was called it never resolves. */
  keep<T extends Stoppable | undefined>(starting: Promise<T>): Promise<T>;
  /** Stops everything in reverse order, and exits. */
  end(exitCode: number): Promise<void>;
}

const never = <T>() => new Promise<T>(() => {});

/**
 * Exits in order on Ctrl-C, which child processes receive, too: waits for what is starting, then stops it. A second
 * Ctrl-C does not wait.
 */
export function cleanUpBeforeTheEnd(): Cleanup {
  const kept: Promise<Stoppable | undefined>[] = [];
  let ending: Promise<void> | undefined;

  const stopAll = async (exitCode: number) => {
    let code = exitCode;
    for (let one = kept.pop(); one; one = kept.pop()) {
      // A failed start is reported by its caller.
      const started = await one.catch(() => undefined);
      await started?.stop().catch((error: unknown) => {
        process.stderr.write(`Something could not be stopped: ${error}\n`);
        code = 1;
      });
    }
    process.exit(code);
  };
  const end = (exitCode: number) => (ending ??= stopAll(exitCode));

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      process.stderr.write('Stopping; Ctrl-C again does not wait for it.\n');
      void end(0);
    });
  }
  return {
    async keep(starting) {
      kept.push(starting);
      const started = await starting;
      return ending ? never() : started;
    },
    end,
  };
}

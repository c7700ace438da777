interface Stoppable {
  stop(): Promise<unknown>;
}

/** Stops what a command has started before the command exits. */
export interface Cleanup {
  /** Registers something that is starting. Never resolves once `exit` was called. */
  register<T extends Stoppable | undefined>(starting: Promise<T>): Promise<T>;
  /** Stops everything in reverse order, and exits. */
  exit(exitCode: number): Promise<void>;
}

const never = <T>() => new Promise<T>(() => {});

/**
 * Creates a cleanup that also runs on SIGINT and SIGTERM: it waits for what is starting, then stops everything in
 * reverse order. A second signal exits immediately.
 */
export function createCleanup(): Cleanup {
  const registered: Promise<Stoppable | undefined>[] = [];
  let ending: Promise<void> | undefined;

  const stopAll = async (exitCode: number) => {
    let code = exitCode;
    for (let next = registered.pop(); next; next = registered.pop()) {
      // A failed start is reported by its caller.
      const started = await next.catch(() => undefined);
      await started?.stop().catch((error: unknown) => {
        process.stderr.write(`Could not stop everything: ${error}\n`);
        code = 1;
      });
    }
    process.exit(code);
  };
  const exit = (exitCode: number) => (ending ??= stopAll(exitCode));

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      process.stderr.write('Stopping … Press Ctrl-C again to exit immediately.\n');
      void exit(0);
    });
  }
  return {
    async register(starting) {
      registered.push(starting);
      const started = await starting;
      return ending ? never() : started;
    },
    exit,
  };
}

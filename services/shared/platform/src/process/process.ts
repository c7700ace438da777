import type { z } from 'zod';
import type { Logger } from '../telemetry/logging.ts';
import { endTraces } from '../telemetry/tracing.ts';
import { loadSettings, SettingsError } from './settings.ts';

const stopWithinMs = 10_000;

export interface Runnable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How long its stop waits before it begins. */
  drainMs?: number;
}

/**
 * Starts, and stops in order on SIGTERM or SIGINT, within ten seconds after it drained. Exits with 1 on a failed start or
 * stop; invalid settings are a sentence on standard error.
 */
export async function runUntilSignal(logger: Logger, { start, stop, drainMs = 0 }: Runnable): Promise<void> {
  let stopping = false;
  const end = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.fatal('could not stop in time');
      process.exit(1);
    }, stopWithinMs + drainMs).unref();
    try {
      await stop();
      await endTraces();
      process.exit(0);
    } catch (error) {
      logger.fatal({ err: error }, 'could not stop cleanly');
      process.exit(1);
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled error');
    process.exit(1);
  });
  try {
    await start();
  } catch (error) {
    if (error instanceof SettingsError) exitWith(error);
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

function exitWith(error: SettingsError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Settings or a sentence on standard error and exit code 1. */
export function settingsOrExit<Settings>(schema: z.ZodType<Settings>): Settings {
  try {
    return loadSettings(schema);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    exitWith(error);
  }
}

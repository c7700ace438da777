import type { z } from 'zod';
import { loadSettings, SettingsError } from '../settings/settings.ts';
import type { Logger } from '../telemetry/logging.ts';
import { endTraces } from '../telemetry/tracing.ts';

const stopTimeoutMs = 10_000;

export interface Runnable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How long `stop` drains before it stops, in milliseconds. */
  drainMs?: number;
}

/**
 * Starts, and stops on SIGTERM or SIGINT, within ten seconds after draining. Exits with 1 if starting or stopping
 * fails; for invalid settings it writes a sentence to standard error.
 */
export async function runUntilSignal(logger: Logger, { start, stop, drainMs = 0 }: Runnable): Promise<void> {
  let stopping = false;
  const shutDown = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.fatal('could not stop in time');
      process.exit(1);
    }, stopTimeoutMs + drainMs).unref();
    try {
      await stop();
      await endTraces();
      process.exit(0);
    } catch (error) {
      logger.fatal({ err: error }, 'could not stop cleanly');
      process.exit(1);
    }
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
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

/** Returns the settings, or writes a sentence to standard error and exits with 1. */
export function settingsOrExit<Settings>(schema: z.ZodType<Settings>): Settings {
  try {
    return loadSettings(schema);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    exitWith(error);
  }
}

import type { z } from 'zod';
import { createLogger, type Logger } from './logging.ts';
import { startManagement } from './management.ts';
import { connectRabbitMq } from './rabbitmq-bus.ts';
import type { Service, ServiceDeps } from './service.ts';
import { loadSettings, SettingsError, type serviceSettings } from './settings.ts';

const stopWithinMs = 10_000;

export interface Runnable {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts, and stops in order on SIGTERM or SIGINT, within ten seconds. Exits with 1 on a failed start or stop. */
export async function runUntilSignal(logger: Logger, { start, stop }: Runnable): Promise<void> {
  let stopping = false;
  const end = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.fatal('could not stop in time');
      process.exit(1);
    }, stopWithinMs).unref();
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      logger.fatal({ err: error }, 'could not stop cleanly');
      process.exit(1);
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'an error was not handled');
    process.exit(1);
  });
  try {
    await start();
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

/** Settings or a sentence on standard error and exit code 1. */
export function settingsOrExit<S extends z.ZodObject>(schema: S): z.output<S> {
  try {
    return loadSettings(schema);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

type CommonSettings = z.output<typeof serviceSettings>;

/** The whole life of a service's own process: settings → real adapters → start → signal → stop. */
export async function runService<S extends typeof serviceSettings>(
  name: string,
  schema: S,
  create: (deps: ServiceDeps, settings: z.output<S>) => Service,
): Promise<void> {
  const settings = settingsOrExit(schema);
  const common: CommonSettings = settings;
  const logger = createLogger({ name, level: common.LOG_LEVEL });
  let stop = async () => {};
  await runUntilSignal(logger, {
    async start() {
      const bus = await connectRabbitMq({ url: common.AMQP_URL, logger });
      const service = create(
        {
          logger,
          bus,
          mongoUrl: common.MONGO_URL,
          databasePrefix: 'wayquest',
          publicKey: common.JWT_PUBLIC_KEY,
          port: common.PORT,
          host: '0.0.0.0',
        },
        settings,
      );
      const management = await startManagement({ port: common.MANAGEMENT_PORT, ready: service.ready });
      stop = async () => {
        await service.stop();
        await bus.close();
        await management.stop();
      };
      await service.start();
    },
    stop: () => stop(),
  });
}

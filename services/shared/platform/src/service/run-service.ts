import type { HttpServiceName } from '@wayquest/contracts';
import { connectRabbitMq } from '../bus/rabbitmq-bus.ts';
import { startManagement } from '../http/management.ts';
import { runUntilSignal, settingsOrExit } from '../process/process.ts';
import { reached } from '../process/settings.ts';
import { createRedisConnections } from '../redis/redis-connections.ts';
import { createLogger } from '../telemetry/logging.ts';
import { addressSettingOf, ownProcessSettings, type ServiceDefinition } from './service-definition.ts';

/** The whole life of a service's own process: settings → real adapters → start → signal → stop. */
export async function runService<Settings, Asked extends HttpServiceName>(
  definition: ServiceDefinition<Settings, Asked>,
): Promise<void> {
  const settings = settingsOrExit(ownProcessSettings(definition));
  const {
    LOG_LEVEL,
    AMQP_URL,
    MONGO_URL,
    JWT_PUBLIC_KEY,
    HOST: host,
    PORT,
    MANAGEMENT_PORT,
    INSTALLATION,
  } = settings;
  const logger = createLogger({ name: definition.name, level: LOG_LEVEL });
  const redis = createRedisConnections(logger, INSTALLATION);
  const urlOf = (name: Asked) => {
    const url = settings[addressSettingOf(name)];
    if (url === undefined) throw new Error(`${definition.name} asks ${name}, but does not say so`);
    return url;
  };
  let stop = async () => {};
  await runUntilSignal(logger, {
    async start() {
      const bus = await reached('AMQP_URL', connectRabbitMq({ url: AMQP_URL, logger, prefix: INSTALLATION }));
      const service = definition.fromSettings(settings, {
        logger,
        bus,
        mongoUrl: MONGO_URL,
        databasePrefix: INSTALLATION,
        publicKey: JWT_PUBLIC_KEY,
        port: PORT,
        host,
        callsPerAccount: settings.LIMIT_PER_ACCOUNT,
        urlOf,
        redis: redis.to,
      });
      const management = await startManagement({
        port: MANAGEMENT_PORT,
        host,
        ready: service.ready,
        settled: async () => (await service.settled()) && (await bus.idle()),
      });
      stop = async () => {
        await service.stop();
        redis.close();
        await bus.close();
        await management.stop();
      };
      await service.start();
    },
    stop: () => stop(),
  });
}

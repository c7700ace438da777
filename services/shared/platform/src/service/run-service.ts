import type { HttpServiceName } from '@wayquest/contracts';
import type { EventBus } from '../bus/event-bus.ts';
import { connectRabbitMq } from '../bus/rabbitmq-bus.ts';
import type { RunningServer } from '../http/http-server.ts';
import { startManagement } from '../http/management.ts';
import { type DynamicText, watchFile } from '../process/dynamic-text.ts';
import { runUntilSignal, settingsOrExit } from '../process/process.ts';
import { limitsFrom, settingsIn, timeoutsFrom } from '../process/settings.ts';
import { createRedisConnections } from '../redis/redis-connections.ts';
import { createLogger } from '../telemetry/logging.ts';
import type { Service } from './service.ts';
import { addressSettingOf, ownProcessSettings, type ServiceDefinition } from './service-definition.ts';

/**
 * Runs a service in its own process: settings → health → real adapters → start → signal → stop. It waits for an
 * unavailable broker.
 */
export async function runService<Settings, Dependency extends HttpServiceName>(
  definition: ServiceDefinition<Settings, Dependency>,
): Promise<void> {
  const schema = ownProcessSettings(definition);
  const settings = settingsOrExit(schema);
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
  const timeouts = timeoutsFrom(settings);
  const redis = createRedisConnections(logger, INSTALLATION, timeouts);
  const urlOf = (name: Dependency) => {
    const url = settings[addressSettingOf(name)];
    if (url === undefined)
      throw new Error(`${definition.name} calls ${name}, which is missing in its \`calls\``);
    return url;
  };
  const dynamicSetting = (setting: string, value: string): DynamicText => {
    const file = process.env[`${setting}_FILE`];
    const settingSchema = settingsIn(schema)[setting];
    return file && settingSchema ? watchFile(file, settingSchema, { logger }) : value;
  };
  let bus: EventBus | undefined;
  let service: Service | undefined;
  let management: RunningServer | undefined;
  await runUntilSignal(logger, {
    async start() {
      // From the start, so that the readiness check reports what it waits for.
      management = await startManagement({
        port: MANAGEMENT_PORT,
        host,
        ready: async () => service?.ready() ?? 'the broker at AMQP_URL is not reachable yet',
        isIdle: async () => ((await service?.isIdle()) && (await bus?.idle())) ?? false,
      });
      const options = {
        url: AMQP_URL,
        logger,
        prefix: INSTALLATION,
        firstAttempts: Number.POSITIVE_INFINITY,
      };
      bus = await connectRabbitMq(options);
      service = definition.create(settings, {
        logger,
        bus,
        mongoUrl: MONGO_URL,
        databasePrefix: INSTALLATION,
        publicKey: dynamicSetting('JWT_PUBLIC_KEY', JWT_PUBLIC_KEY),
        dynamicSetting,
        port: PORT,
        host,
        ...limitsFrom(settings),
        timeouts,
        urlOf,
        redis: redis.connectionTo,
      });
      await service.start();
    },
    async stop() {
      await service?.stop();
      redis.close();
      await bus?.close();
      await management?.stop();
    },
  });
}

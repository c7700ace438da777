import type { HttpServiceName, ServiceName } from '@wayquest/contracts';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { EventBus } from '../bus/event-bus.ts';
import { connectRabbitMq } from '../bus/rabbitmq-bus.ts';
import { type RunningServer, startManagement } from '../http/http-server.ts';
import { runUntilSignal, settingsOrExit } from '../process/process.ts';
import { createRedisConnections } from '../redis/redis.ts';
import { type DynamicText, watchFile } from '../settings/dynamic-text.ts';
import {
  limitsFrom,
  originSetting,
  serviceSettings,
  settingsIn,
  timeoutsFrom,
} from '../settings/settings.ts';
import { createLogger } from '../telemetry/logging.ts';
import { keepSecurityEvents } from '../telemetry/security-events.ts';
import type { Service, ServiceDeps } from './service.ts';

/** What a service needs beside its settings, from the process that runs it. */
export interface RunnerDeps<Dependency extends HttpServiceName = never> extends ServiceDeps {
  /** The address of another service, once it has started. */
  urlOf(name: Dependency): string;
  /** The public URL of Wayquest, if known. */
  defaultPublicUrl?: string | undefined;
  /** The current value of a setting whose file may change while the process runs. */
  dynamicSetting(setting: string, value: string): DynamicText;
  /** Returns a shared connection to Redis; undefined without a URL. */
  redis(url: string | undefined): Redis | undefined;
}

/** How a service is configured and created, in a process of its own or with the others. */
export interface ServiceDefinition<Settings, Dependency extends HttpServiceName = never, Tuning = never> {
  name: ServiceName;
  /** Its own settings, beside those of every service. */
  settings: z.ZodType<Settings>;
  /** The services that it calls; in a process of its own it needs a setting for the address of each. */
  calls: readonly Dependency[];
  /** `tuning` is for tests and measurements only. */
  create(settings: Settings, deps: RunnerDeps<Dependency>, tuning?: Tuning): Service;
}

/** Returns its argument; infers the types. */
export const defineService = <Settings, const Dependency extends HttpServiceName = never, Tuning = never>(
  definition: ServiceDefinition<Settings, Dependency, Tuning>,
): ServiceDefinition<Settings, Dependency, Tuning> => definition;

/** The name of the setting for the address of a service. */
export const addressSettingOf = (name: ServiceName): string => `${name.toUpperCase()}_URL`;

/** The settings of a service in a process of its own. */
export const ownProcessSettings = <Settings, Dependency extends HttpServiceName>({
  settings,
  calls,
}: Pick<ServiceDefinition<Settings, Dependency>, 'settings' | 'calls'>) =>
  serviceSettings
    .and(
      z.object(
        Object.fromEntries(
          calls.map((name) => [
            addressSettingOf(name),
            originSetting.describe(`The URL of ${name}, as \`http://${name}:8080\`.`),
          ]),
        ),
      ),
    )
    .and(settings);

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
    SECURITY_LOG_DIR,
    AMQP_URL,
    MONGO_URL,
    JWT_PUBLIC_KEY,
    HOST: host,
    PORT,
    MANAGEMENT_PORT,
    INSTALLATION,
  } = settings;
  const logger = createLogger({ name: definition.name, level: LOG_LEVEL });
  keepSecurityEvents(SECURITY_LOG_DIR, definition.name);
  const timeouts = timeoutsFrom(settings);
  const redis = createRedisConnections(logger, {
    program: definition.name,
    installation: INSTALLATION,
    timeouts,
  });
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

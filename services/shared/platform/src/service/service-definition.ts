import type { HttpServiceName, ServiceName } from '@wayquest/contracts';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Changing } from '../process/changing.ts';
import { originSetting, serviceSettings } from '../process/settings.ts';
import type { Service, ServiceDeps } from './service.ts';

/** What whoever runs a service gives it, beside its settings. */
export interface GivenByRunner<Asked extends HttpServiceName = never> extends ServiceDeps {
  /** Where another service answers, once it has started. */
  urlOf(name: Asked): string;
  /** Where people find Wayquest, as far as whoever runs it knows. */
  home?: string | undefined;
  /** A setting that was read, as it is from now on where its file may change while the process runs. */
  current(setting: string, value: string): Changing;
  /** A connection to Redis; none without an address. */
  redis(url: string | undefined): Redis | undefined;
}

/** A service as those know it who run it, alone or with the others. */
export interface ServiceDefinition<Settings, Asked extends HttpServiceName = never, Tuning = never> {
  name: ServiceName;
  /** What it is told beside what every service is, whoever runs it. */
  settings: z.ZodType<Settings>;
  /** Whom it makes calls to: alone, it has to be told where they are. */
  asks: readonly Asked[];
  /** Tuned only where it is tested or measured. */
  fromSettings(settings: Settings, given: GivenByRunner<Asked>, tuning?: Tuning): Service;
}

/** Only for the types: each follows from what is written. */
export const defineService = <Settings, const Asked extends HttpServiceName = never, Tuning = never>(
  definition: ServiceDefinition<Settings, Asked, Tuning>,
): ServiceDefinition<Settings, Asked, Tuning> => definition;

/** The setting that says where a service is found. */
export const addressSettingOf = (name: ServiceName): string => `${name.toUpperCase()}_URL`;

/** All that a service is told when it has a process of its own. */
export const ownProcessSettings = <Settings, Asked extends HttpServiceName>({
  settings,
  asks,
}: Pick<ServiceDefinition<Settings, Asked>, 'settings' | 'asks'>) =>
  serviceSettings
    .and(
      z.object(
        Object.fromEntries(
          asks.map((name) => [
            addressSettingOf(name),
            originSetting.describe(`Where ${name} is found, as \`http://${name}:8080\`.`),
          ]),
        ),
      ),
    )
    .and(settings);

import type { HttpServiceName, ServiceName } from '@wayquest/contracts';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { DynamicText } from '../process/dynamic-text.ts';
import { originSetting, serviceSettings } from '../process/settings.ts';
import type { Service, ServiceDeps } from './service.ts';

/** What a service needs beside its settings, from the process that runs it. */
export interface RunnerDeps<Dependency extends HttpServiceName = never> extends ServiceDeps {
  /** The address of another service, once it has started. */
  urlOf(name: Dependency): string;
  /** The public URL of Wayquest, if known. */
  home?: string | undefined;
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

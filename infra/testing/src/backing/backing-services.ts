import {
  type BackingKind,
  type BackingService,
  BuildError,
  type FindOptions,
  type Provider,
} from './backing-service.ts';
import { findEmbeddedStoreProviders, findMongoDbProviders } from './mongodb.ts';
import { findRabbitMqProviders } from './rabbitmq.ts';
import { findRedisProviders } from './redis.ts';
import {
  findChromiumProviders,
  findComposeProviders,
  findFullChromiumProviders,
  findImagesProviders,
  findKubectlProviders,
  findToolProviders,
} from './tools.ts';

const finders: Record<BackingKind, (options: FindOptions) => Promise<Provider[]>> = {
  mongodb: findMongoDbProviders,
  'embedded-store': findEmbeddedStoreProviders,
  rabbitmq: findRabbitMqProviders,
  redis: findRedisProviders,
  chromium: findChromiumProviders,
  'full-chromium': findFullChromiumProviders,
  promtool: findToolProviders('promtool', 'prometheus'),
  haproxy: findToolProviders('haproxy', 'haproxy'),
  caddy: findToolProviders('caddy', 'caddy'),
  kubectl: findKubectlProviders,
  compose: findComposeProviders,
  images: findImagesProviders,
};

export const backingKinds = Object.keys(finders) as BackingKind[];

/** Finds the providers of a backing service on this machine, the preferred one first. */
export const findBackingService = (
  kind: BackingKind,
  options: FindOptions = { mayInstall: false },
): Promise<Provider[]> => finders[kind](options);

/** Starts a backing service of the first provider that works; undefined if none does. Throws `BuildError`. */
export async function startBackingService(
  kind: BackingKind,
  providers: Provider[],
  log: (sentence: string) => void,
): Promise<BackingService | undefined> {
  for (const { description, start } of providers) {
    try {
      return await start();
    } catch (error) {
      if (error instanceof BuildError) throw error;
      log(`${kind}: ${description} did not start (${error instanceof Error ? error.message : error})`);
    }
  }
  return undefined;
}

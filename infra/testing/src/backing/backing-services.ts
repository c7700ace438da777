import {
  type BackingKind,
  type BackingService,
  type FindOptions,
  OursIsBroken,
  type Provider,
} from './backing-service.ts';
import { findChromiumProviders, findFullChromiumProviders } from './chromium.ts';
import { findComposeProviders } from './compose.ts';
import { findEmbeddedStoreProviders } from './embedded-store.ts';
import { findImagesProviders } from './images.ts';
import { findKubectlProviders } from './kubectl.ts';
import { findMongoDbProviders } from './mongodb.ts';
import { findRabbitMqProviders } from './rabbitmq.ts';
import { findRedisProviders } from './redis.ts';
import { findToolProviders } from './tool.ts';

const findersOf: Record<BackingKind, (options: FindOptions) => Promise<Provider[]>> = {
  mongodb: findMongoDbProviders,
  'embedded-store': findEmbeddedStoreProviders,
  rabbitmq: findRabbitMqProviders,
  redis: findRedisProviders,
  chromium: findChromiumProviders,
  'full-chromium': findFullChromiumProviders,
  promtool: findToolProviders('promtool', 'prometheus'),
  haproxy: findToolProviders('haproxy', 'haproxy'),
  kubectl: findKubectlProviders,
  compose: findComposeProviders,
  images: findImagesProviders,
};

export const backingKinds = Object.keys(findersOf) as BackingKind[];

/** Finds the providers of a backing service on this machine, the preferred one first. */
export const findBackingService = (
  kind: BackingKind,
  options: FindOptions = { mayInstall: false },
): Promise<Provider[]> => findersOf[kind](options);

/** Starts a backing service in the first way that works; undefined if none does. Throws `OursIsBroken`. */
export async function startBackingService(
  kind: BackingKind,
  providers: Provider[],
  say: (sentence: string) => void,
): Promise<BackingService | undefined> {
  for (const { how, start } of providers) {
    try {
      return await start();
    } catch (error) {
      if (error instanceof OursIsBroken) throw error;
      say(`${kind}: ${how} did not start (${error instanceof Error ? error.message : error})`);
    }
  }
  return undefined;
}

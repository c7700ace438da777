import type { BackingKind, BackingService, FindOptions, Way } from './backing-service.ts';
import { waysToChromium } from './chromium.ts';
import { waysToCompose } from './compose.ts';
import { waysToEmbeddedStore } from './embedded-store.ts';
import { waysToImages } from './images.ts';
import { waysToMongoDb } from './mongodb.ts';
import { waysToRabbitMq } from './rabbitmq.ts';
import { waysToRedis } from './redis.ts';

const waysTo: Record<BackingKind, (options: FindOptions) => Promise<Way[]>> = {
  mongodb: waysToMongoDb,
  'embedded-store': waysToEmbeddedStore,
  rabbitmq: waysToRabbitMq,
  redis: waysToRedis,
  chromium: waysToChromium,
  compose: waysToCompose,
  images: waysToImages,
};

export const backingKinds = Object.keys(waysTo) as BackingKind[];

/** The ways in which this machine can give a backing service, the preferred one first. */
export const findBackingService = (
  kind: BackingKind,
  options: FindOptions = { mayInstall: false },
): Promise<Way[]> => waysTo[kind](options);

/** Starts a backing service in the first way that works; undefined if none does. */
export async function startBackingService(
  kind: BackingKind,
  ways: Way[],
  say: (sentence: string) => void,
): Promise<BackingService | undefined> {
  for (const { how, start } of ways) {
    try {
      return await start();
    } catch (error) {
      say(`${kind}: ${how} did not start (${error instanceof Error ? error.message : error})`);
    }
  }
  return undefined;
}

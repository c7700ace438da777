import {
  type BackingKind,
  type BackingService,
  type FindOptions,
  OursIsBroken,
  type Way,
} from './backing-service.ts';
import { waysToChromium, waysToFullChromium } from './chromium.ts';
import { waysToCompose } from './compose.ts';
import { waysToEmbeddedStore } from './embedded-store.ts';
import { waysToImages } from './images.ts';
import { waysToKubectl } from './kubectl.ts';
import { waysToMongoDb } from './mongodb.ts';
import { waysToRabbitMq } from './rabbitmq.ts';
import { waysToRedis } from './redis.ts';
import { waysToTool } from './tool.ts';

const waysTo: Record<BackingKind, (options: FindOptions) => Promise<Way[]>> = {
  mongodb: waysToMongoDb,
  'embedded-store': waysToEmbeddedStore,
  rabbitmq: waysToRabbitMq,
  redis: waysToRedis,
  chromium: waysToChromium,
  'full-chromium': waysToFullChromium,
  promtool: waysToTool('promtool', 'prometheus'),
  haproxy: waysToTool('haproxy', 'haproxy'),
  kubectl: waysToKubectl,
  compose: waysToCompose,
  images: waysToImages,
};

export const backingKinds = Object.keys(waysTo) as BackingKind[];

/** Finds the ways in which this machine can provide a backing service, the preferred one first. */
export const findBackingService = (
  kind: BackingKind,
  options: FindOptions = { mayInstall: false },
): Promise<Way[]> => waysTo[kind](options);

/** Starts a backing service in the first way that works; undefined if none does. Throws `OursIsBroken`. */
export async function startBackingService(
  kind: BackingKind,
  ways: Way[],
  say: (sentence: string) => void,
): Promise<BackingService | undefined> {
  for (const { how, start } of ways) {
    try {
      return await start();
    } catch (error) {
      if (error instanceof OursIsBroken) throw error;
      say(`${kind}: ${how} did not start (${error instanceof Error ? error.message : error})`);
    }
  }
  return undefined;
}

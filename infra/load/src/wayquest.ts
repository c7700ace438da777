import { randomBytes } from 'node:crypto';
import { challengeModel } from '@wayquest/challenges';
import { type Difficulty, type Position, serviceNames } from '@wayquest/contracts';
import { builtWebApp } from '@wayquest/gateway';
import { assemble, assemblySettings } from '@wayquest/local';
import { tokenize } from '@wayquest/platform/search';
import { loadSettings } from '@wayquest/platform/settings';
import { connectMongo, insertOrdered } from '@wayquest/platform/store';
import { createLogger, type Logger } from '@wayquest/platform/telemetry';
import {
  attemptsWithoutLimits,
  dropDatabases,
  generateKeys,
  settingsWithoutLimits,
  startInProcessBus,
} from '@wayquest/testing';
import { printLine } from './measure.ts';

/** A deterministic generator of pseudorandom numbers from 0 to 1. */
function createRandomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A village with the same number of challenges in every store, and nothing else nearby. */
export const village = { lat: 40.3, lng: -71.5, challenges: 40 };

/** The town around which most people are. */
export const town = { lat: 40.73, lng: -73.85 };

/**
 * Yields positions of challenges: a few in the village, most of the others in the town, the rest across the country.
 */
function* places(count: number): Generator<Position & { inVillage?: true }> {
  const chance = createRandomness(count);
  /** The sum of several random numbers, so that most are near the center. */
  const scatter = () => (chance() + chance() + chance() + chance() - 2) * 0.15;
  const apart = Math.floor(count / village.challenges);
  for (let n = 0; n < count; n++) {
    if (n % apart === 0 && n / apart < village.challenges) {
      const [north, east] = [(chance() - 0.5) * 0.015, (chance() - 0.5) * 0.03];
      yield { lat: village.lat + north, lng: village.lng + east, inVillage: true };
    } else if (chance() < 0.65) {
      yield { lat: town.lat + scatter(), lng: town.lng + scatter() };
    } else {
      yield { lat: 30 + chance() * 18, lng: -122 + chance() * 46 };
    }
  }
}

const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/** Small enough that a store on a busy machine still responds to heartbeats. */
const batch = 500;

/** Three of five are easy, so that even with few challenges the town has more easy ones than a list contains. */
const difficulties: Difficulty[] = ['Easy', 'Hard', 'Easy', 'Medium', 'Easy'];

/** Inserts challenges directly into the store of the challenges service, without counts of tiles. */
async function fill(store: { mongoUrl: string; databasePrefix: string; logger: Logger }, count: number) {
  const { mongoUrl: url, databasePrefix, logger } = store;
  const connection = await connectMongo({ url, database: `${databasePrefix}_challenges`, logger });
  const Challenges = challengeModel(connection);
  await Challenges.createIndexes();
  const pending: object[] = [];
  const write = async () => insertOrdered(Challenges, pending.splice(0));
  let id = 0;
  for (const { lat, lng, inVillage } of places(count)) {
    id++;
    const texts = {
      name: `${inVillage ? 'Lighthouse' : 'Challenge'} ${id}`,
      locationName: `Place ${id % 1_000}`,
      city: `City ${id % 300}`,
    };
    pending.push({
      ...texts,
      words: tokenize(Object.values(texts)),
      _id: id,
      version: 1,
      description: 'Walk there, look around for a while, and tell what you would show a friend.',
      difficulty: difficulties[((id * 7) % 11) % difficulties.length],
      points: 10,
      streetAddress: `${id % 200} Main Street`,
      state: 'NY',
      zip: '11368',
      startDate: null,
      endDate: null,
      timeZone: 'America/New_York',
      location: { type: 'Point', coordinates: [lng, lat] },
      creator: { id: (id % 500) + 1, username: `maker-${id % 500}` },
      participants: id % 20,
      createdAt: new Date(),
    });
    if (pending.length === batch) await write();
  }
  if (pending.length) await write();
  await connection.close();
}

/** All of Wayquest with this number of challenges in the store. */
export interface Wayquest {
  /** URL of the gateway. */
  url: string;
  stop(): Promise<void>;
}

export async function startWayquest(mongoUrl: string, challenges: number): Promise<Wayquest> {
  const databasePrefix = `load_${randomBytes(6).toString('hex')}`;
  const logger = createLogger({ name: 'load', level: 'error' });
  const bus = startInProcessBus(logger);
  const fillStartedAt = performance.now();
  await fill({ mongoUrl, databasePrefix, logger }, challenges);
  printLine(`${challenges} challenges were stored in ${seconds(fillStartedAt)}`);

  const all = assemble(loadSettings(assemblySettings, settingsWithoutLimits), {
    ...{ logger, bus, mongoUrl, databasePrefix, ...generateKeys(), port: 0 },
    // No web app is configured.
    redis: () => undefined,
    webDirectory: builtWebApp,
    tuning: { auth: { attemptLimits: attemptsWithoutLimits } },
  });
  const startedAt = performance.now();
  await all.start();
  printLine(`… and counted by tile, and all services started, in ${seconds(startedAt)}`);
  return {
    url: all.gateway.url(),
    async stop() {
      await all.stop();
      await bus.close();
      await dropDatabases(
        mongoUrl,
        serviceNames.map((service) => `${databasePrefix}_${service}`),
      );
    },
  };
}

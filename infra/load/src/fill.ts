import { challengeModel } from '@wayquest/challenges';
import type { Difficulty } from '@wayquest/contracts';
import { connectMongo, insertOrdered, tokenize } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { places } from './places.ts';

/** Small enough that a store on a busy machine still responds to heartbeats. */
const batch = 500;

/** Six of ten are easy, so that even with few challenges the town has more easy ones than a list contains. */
const difficulties: Difficulty[] = ['Easy', 'Hard', 'Easy', 'Medium', 'Easy'];

/** Inserts challenges directly into the store of the challenges service, without counts of tiles. */
export async function fill(
  store: { mongoUrl: string; databasePrefix: string; logger: Logger },
  count: number,
) {
  const { mongoUrl: url, databasePrefix, logger } = store;
  const connection = await connectMongo({ url, database: `${databasePrefix}_challenges`, logger });
  const Challenges = challengeModel(connection);
  await Challenges.createIndexes();
  const waiting: object[] = [];
  const write = async () => insertOrdered(Challenges, waiting.splice(0));
  let id = 0;
  for (const { lat, lng, inVillage } of places(count)) {
    id++;
    const texts = {
      name: `${inVillage ? 'Lighthouse' : 'Challenge'} ${id}`,
      locationName: `Place ${id % 1_000}`,
      city: `City ${id % 300}`,
    };
    waiting.push({
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
    if (waiting.length === batch) await write();
  }
  if (waiting.length) await write();
  await connection.close();
}

import { randomBytes } from 'node:crypto';
import { operations, operationUrl } from '@wayquest/contracts';
import { tokenize } from '@wayquest/platform/search';
import { connectMongo, insertOrdered } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, signToken, startInProcessBus, testKeys } from '@wayquest/testing';
import { createUsersService, profileModel } from '@wayquest/users';
import { measure, printLine, settings, startStore } from './measure.ts';

/** The maximum ratio of the durations with many and with few people in the store. */
const bound = 1.5;
const batch = 2_000;
const unreachableUrl = () => 'http://127.0.0.1:9';

const { FEW, MANY, ROUNDS } = settings;
const logger = createLogger({ name: 'load', level: 'error' });
const store = await startStore();

/** Number of people with the first name Ada, whatever the total. */
const adas = 20;

/** Two thirds have no points. */
function person(id: number) {
  const names = { username: `walker-${id}`, firstName: id > adas ? 'Kim' : 'Ada', lastName: `Lo${id % 97}` };
  const points = id % 3 ? 0 : (id * 7_919) % 5_000;
  return {
    ...{ _id: id, version: 1, admin: false, accountVersion: 1, points, ...names, outbox: [] },
    ...{ words: tokenize(Object.values(names)), avatar: `explorer-${id}.svg`, email: '', zip: '' },
    ...{ streetAddress: '1 Main Street', city: 'Queens', state: 'NY' },
  };
}

/** Starts the users service without other services, with this number of people. */
async function startAmong(count: number) {
  const databasePrefix = `load_${randomBytes(6).toString('hex')}`;
  const database = `${databasePrefix}_users`;
  const connection = await connectMongo({ url: store.address, database, logger });
  const Profiles = profileModel(connection);
  await Profiles.createIndexes();
  for (let id = 1; id <= count; id += batch) {
    const people = Array.from({ length: Math.min(batch, count + 1 - id) }, (_, index) => person(id + index));
    await insertOrdered(Profiles, people);
  }
  await connection.close();
  const bus = startInProcessBus(logger);
  const service = createUsersService({
    ...{ logger, bus, mongoUrl: store.address, databasePrefix, publicKey: testKeys().publicKey, port: 0 },
    ...{
      authUrl: unreachableUrl,
      participationUrl: unreachableUrl,
      ownDataUrls: {
        challenges: unreachableUrl,
        friends: unreachableUrl,
        chat: unreachableUrl,
        notifications: unreachableUrl,
        moderation: unreachableUrl,
      },
      archivesPerDay: 1,
      ownChallengesPerDay: 3,
      pairPointsPerDay: 300,
      picturesPerHour: 10,
    },
  });
  const starting = performance.now();
  await service.start();
  printLine(`among ${count}: ready in ${((performance.now() - starting) / 1_000).toFixed(1)} s`);
  return {
    url: service.url(),
    async stop() {
      await service.stop();
      await bus.close();
      await dropDatabases(store.address, [database]);
    },
  };
}

const sides = [await startAmong(FEW), await startAmong(MANY)];
const token = signToken({ sub: String(FEW / 2) });

const board = (query: object) => operationUrl(operations.getLeaderboard, { query: { ...query } });
const list = (query: object) => operationUrl(operations.listUsers, { query: { ...query } });
const requests: [name: string, path: string][] = [
  ['leaderboard, page 1', board({ page: 1 })],
  ['leaderboard, page 50', board({ page: 50 })],
  ['leaderboard, the last page', board({ page: 999_999 })],
  ['leaderboard, around me', board({ around: 'me' })],
  ['people, by a rare name', list({ search: 'ada' })],
  ['people, by a common name', list({ search: 'kim' })],
  ['people, by two names', list({ search: 'kim lo7' })],
  ['people, six suggested', list({ suggested: 6 })],
];

const row = (...cells: string[]) =>
  printLine(cells.map((cell, index) => (index ? cell.padStart(14) : cell.padEnd(32))).join(''));
printLine(`\nmilliseconds, median of ${ROUNDS} rounds, requested in turn`);
row('', `${FEW}`, `${MANY}`, 'ratio');
const slower: string[] = [];
const ratios: Record<string, number> = {};
for (const [name, path] of requests) {
  const figures = await measure(
    sides.map(({ url }) => url + path),
    ROUNDS,
    { authorization: token },
  );
  const [few = Number.NaN, many = Number.NaN] = figures.map(({ median }) => median);
  ratios[name] = many / few;
  if (many / few > bound) slower.push(name);
  row(name, few.toFixed(1), many.toFixed(1), (many / few).toFixed(2));
}
printLine(`\nabove ${bound}: ${slower.join('; ') || 'none'}`);
process.send?.({ figures: ratios });

for (const { stop } of sides) await stop();
await store.stop();
process.exit(0);

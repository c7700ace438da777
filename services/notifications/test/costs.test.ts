import { newEvent } from '@wayquest/platform/bus';
import {
  complete,
  monitoredStoreUrl,
  type Network,
  newChallenge,
  newUser,
  recordCommands,
  startNetwork,
} from '@wayquest/testing';

let network: Network;
/** What the service has asked of its store. */
let commands: ReturnType<typeof recordCommands>;

beforeAll(async () => {
  network = await startNetwork({ mongo: monitoredStoreUrl() });
  commands = recordCommands(`${network.databasePrefix}_notifications`);
});
afterAll(() => network?.stop());

/** Each token is looked for once, whatever is done with it. */
const isAboutTokens = /"find":"(endings|revocations)"/;

/** How many commands it sends to its store until nothing is under way. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  await network.settle();
  commands.length = 0;
  await work();
  await network.settle();
  return commands.filter(({ command }) => !isAboutTokens.test(JSON.stringify(command))).length;
}

it('notifies sixty people of a change with as many commands as three', async () => {
  const maker = await newUser(network);
  const crowd = async (size: number) => {
    const { id, name, difficulty } = await newChallenge(maker);
    for (let n = 1; n <= size; n++) {
      const userId = 5_000_000 + n;
      const line = { lineId: id * 1_000 + n, challengeId: id, userId };
      await network.bus.publish(newEvent('challenge.joined.v1', line));
    }
    return costOf(() =>
      maker.client.updateChallenge({ params: { id }, body: { name: `${name}!`, difficulty } }),
    );
  };
  const few = await crowd(3);
  expect(few).toBeLessThanOrEqual(12);
  expect(await crowd(60)).toBe(few);
});

it('notifies a user of their archive with two writes', async () => {
  const ann = await newUser(network);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const told = () => network.bus.publish(newEvent('archive.made.v1', { userId: ann.me.id, until }));
  // And a look whether the account is gone meanwhile.
  expect(await costOf(told)).toBe(3);
});

it('notifies a creator with few commands, and lists with two', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const challenge = await newChallenge(maker);
  // Joining and completing: points come after that, for the replica.
  expect(await costOf(() => complete(ann, challenge))).toBeLessThanOrEqual(16);
  for (let n = 0; n < 5; n++) await complete(ann, await newChallenge(maker));
  expect(await costOf(() => maker.client.listNotifications())).toBe(2);
});

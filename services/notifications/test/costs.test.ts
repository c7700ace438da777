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
/** Commands that the service has sent to its store. */
let commands: ReturnType<typeof recordCommands>;

beforeAll(async () => {
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', 'notifications'],
    mongo: monitoredStoreUrl(),
  });
  commands = recordCommands(`${network.databasePrefix}_notifications`);
});
afterAll(() => network?.stop());

/** Reads of revocations, which each new token causes once, and of reminders, which a periodic task does. */
const isUnrelatedRead = /"find":"(expiry_reminders|revocations)"/;

/** Returns the number of store commands of a call and of the events that it causes. */
async function costOf(call: () => Promise<unknown>): Promise<number> {
  await network.settle();
  commands.length = 0;
  await call();
  await network.settle();
  return commands.filter(({ command }) => !isUnrelatedRead.test(JSON.stringify(command))).length;
}

it('notifies sixty participants of a change with as many store commands as three', async () => {
  const maker = await newUser(network);
  const costForParticipants = async (size: number) => {
    const { id, name, difficulty } = await newChallenge(maker);
    for (let n = 1; n <= size; n++) {
      const userId = 5_000_000 + n;
      const participation = { participationId: id * 1_000 + n, challengeId: id, userId };
      await network.bus.publish(newEvent('challenge.joined.v1', participation));
    }
    return costOf(() =>
      maker.client.updateChallenge({ params: { id }, body: { name: `${name}!`, difficulty } }),
    );
  };
  const few = await costForParticipants(3);
  expect(few).toBeLessThanOrEqual(12);
  expect(await costForParticipants(60)).toBe(few);
});

it('notifies a user of their archive with three store commands', async () => {
  const ann = await newUser(network);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const publish = () => network.bus.publish(newEvent('archive.ready.v1', { userId: ann.me.id, until }));
  // And one read, which checks whether the account was deleted.
  expect(await costOf(publish)).toBe(3);
});

it('notifies a creator with at most 16 store commands, and lists notifications with two', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const challenge = await newChallenge(maker);
  // For joining, completing, and the points that follow.
  expect(await costOf(() => complete(ann, challenge))).toBeLessThanOrEqual(16);
  for (let n = 0; n < 5; n++) await complete(ann, await newChallenge(maker));
  expect(await costOf(() => maker.client.listNotifications())).toBe(2);
});

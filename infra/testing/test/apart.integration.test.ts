import {
  type ApartNetwork,
  complete,
  describeWith,
  eventually,
  freePort,
  newChallenge,
  newUser,
  startNetwork,
} from '@wayquest/testing';

(await describeWith('rabbitmq'))('parts of Wayquest, in processes', () => {
  let network: ApartNetwork;
  beforeAll(async () => {
    network = await startNetwork({
      as: 'processes',
      services: ['users', 'participation'],
      replicas: { participation: 2 },
    });
  });
  afterAll(() => network?.stop());

  it('work without the other services, whose events a test publishes', async () => {
    const [ann, ben] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ben, { points: 40 });
    await network.settle();
    await complete(ann, challenge);
    await network.settle();
    expect(await ann.client.getMe()).toMatchObject({ points: 40 });
  });

  it('respond that a missing service is unavailable', async () => {
    const ann = await newUser(network);
    await expect(ann.client.listFriendRequests()).rejects.toThrow(
      'listFriendRequests is for friends, which is not in this network (users, participation)',
    );
    await expect(network.disconnect('users', 'chat')).rejects.toThrow('users has no connection to chat');
    await expect(network.kill('users', 1)).rejects.toThrow('there is no users 1 in this network');
  });

  it('can be paused and resumed', async () => {
    const ann = await newUser(network);
    await network.pause('users');
    const asking = ann.client.getMe();
    const first = await Promise.race([asking, ann.client.listLines()]);
    await network.resume('users');
    expect(first).toEqual([]);
    expect(await asking).toEqual(ann.me);
  });

  it('can be killed one by one, and restarted', async () => {
    const ann = await newUser(network);
    await network.kill('participation', 0);
    await eventually(() => ann.client.listLines());
    await network.kill('participation');
    await expect(ann.client.listLines()).rejects.toThrow(
      /temporarily unavailable.*GET \/api\/challengeLine\/ is for participation, which was killed; request [\w-]+/,
    );
    await eventually(() =>
      expect(network.logs('gateway').join('\n')).toMatch(
        /WARN upstream request failed .*"requestId":"[\w-]+"/,
      ),
    );
    await network.revive('participation', 0);
    await eventually(() => ann.client.listLines());
  });

  it('can be cut off from a dependency, and catch up afterwards', async () => {
    const [ann, ben] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ben, { points: 7 });
    await network.settle();
    await network.disconnect('users', 'rabbitmq');
    await complete(ann, challenge);
    expect(await ann.client.getMe()).toMatchObject({ points: 0 });
    await network.reconnect('users', 'rabbitmq');
    await eventually(async () => expect(await ann.client.getMe()).toMatchObject({ points: 7 }), {
      withinMs: 20_000,
    });
  });
});

describe('what cannot be started', () => {
  it('is reported immediately, by its setting', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    for (const [given, sentence] of [
      [{ mongo: `mongodb://${nowhere}` }, `mongo: nothing answers at ${nowhere} (ECONNREFUSED)`],
      [{ redis: `redis://${nowhere}` }, `redis: nothing answers at ${nowhere} (ECONNREFUSED)`],
      [{ bus: `amqp://${nowhere}` }, `bus: nothing answers at ${nowhere} (ECONNREFUSED)`],
      [{ mongo: 'localhost' }, 'mongo: localhost is no address of one server'],
    ] as const)
      await expect(startNetwork(given)).rejects.toThrow(sentence);
  });

  it('ends the start, with its output', async () => {
    const starting = startNetwork({
      as: 'processes',
      services: ['users'],
      settings: { MAX_OWN_CHALLENGE_AWARDS_PER_DAY: 'many' },
    });
    await expect(starting).rejects.toThrow(
      /users ended before it was ready \(1\)\n(.|\n)*MAX_OWN_CHALLENGE_AWARDS_PER_DAY: must be a whole number/,
    );
  });
});

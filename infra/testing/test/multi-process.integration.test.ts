import {
  complete,
  describeWith,
  eventually,
  freePort,
  type MultiProcessNetwork,
  newChallenge,
  newUser,
  startNetwork,
} from '@wayquest/testing';

(await describeWith('rabbitmq'))('a network of processes', () => {
  let network: MultiProcessNetwork;
  beforeAll(async () => {
    network = await startNetwork({
      as: 'processes',
      services: ['users', 'participation'],
      replicas: { participation: 2 },
    });
  });
  afterAll(() => network?.stop());

  it('works with some of the services when the test publishes the events of the others', async () => {
    const [ann, ben] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ben, { points: 40 });
    await network.settle();
    await complete(ann, challenge);
    await network.settle();
    expect(await ann.client.getMe()).toMatchObject({ points: 40 });
  });

  it('rejects calls to services, connections and replicas that it does not have', async () => {
    const ann = await newUser(network);
    await expect(ann.client.listFriendRequests()).rejects.toThrow(
      'listFriendRequests is for friends, which is not in this network (users, participation)',
    );
    await expect(network.disconnect('users', 'chat')).rejects.toThrow('users has no connection to chat');
    await expect(network.kill('users', 1)).rejects.toThrow('there is no users 1 in this network');
  });

  it('pauses one service until it is resumed, while others respond', async () => {
    const ann = await newUser(network);
    await network.pause('users');
    const pending = ann.client.getMe();
    const first = await Promise.race([pending, ann.client.listLines()]);
    await network.resume('users');
    expect(first).toEqual([]);
    expect(await pending).toEqual(ann.me);
  });

  it('serves from the other replica when one is killed, responds 503 when all are, and recovers when one is revived', async () => {
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

  it('delays events while a service is disconnected from RabbitMQ, and delivers them after it reconnects', async () => {
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

describe('the start of a network', () => {
  it('rejects with the name of the setting if an external server does not respond', async () => {
    const unusedAddress = `127.0.0.1:${await freePort()}`;
    for (const [options, message] of [
      [
        { mongo: `mongodb://${unusedAddress}` },
        `mongo: no server responds at ${unusedAddress} (ECONNREFUSED)`,
      ],
      [{ redis: `redis://${unusedAddress}` }, `redis: no server responds at ${unusedAddress} (ECONNREFUSED)`],
      [{ bus: `amqp://${unusedAddress}` }, `bus: no server responds at ${unusedAddress} (ECONNREFUSED)`],
      [{ mongo: 'localhost' }, 'mongo: localhost is not the address of a server'],
    ] as const)
      await expect(startNetwork(options)).rejects.toThrow(message);
  });

  it('rejects with the output of a process that exits', async () => {
    const starting = startNetwork({
      as: 'processes',
      services: ['users'],
      settings: { MAX_OWN_CHALLENGE_AWARDS_PER_DAY: 'many' },
    });
    await expect(starting).rejects.toThrow(
      /users exited before it was ready \(1\)\n(.|\n)*MAX_OWN_CHALLENGE_AWARDS_PER_DAY: must be a whole number/,
    );
  });
});

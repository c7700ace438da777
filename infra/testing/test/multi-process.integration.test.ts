import {
  complete,
  describeWith,
  freePort,
  type MultiProcessNetwork,
  newChallenge,
  newUser,
  startNetwork,
  testOutages,
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

  testOutages(() => network);
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

import { describeWith, type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';

const onBus = (bus: 'in-process' | 'rabbitmq') => () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ bus });
  });
  afterAll(() => network.stop());

  test('serves the main job through the gateway', async () => {
    const [ada, ben] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ada, { points: 25 });
    await network.settle();
    const line = await ben.client.joinChallenge({ body: { challengeId: challenge.id } });
    await ben.client.updateLine({ params: { id: line.id }, body: { completed: true } });
    await network.settle();
    expect(await ben.client.getMe()).toMatchObject({ username: ben.username, points: 25 });
  });
};

describe('a network on the in-process bus', onBus('in-process'));
(await describeWith('rabbitmq'))('a network on RabbitMQ', onBus('rabbitmq'));

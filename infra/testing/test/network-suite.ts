import {
  complete,
  eventually,
  type Network,
  newChallenge,
  newOnlineUser,
  newUser,
  startNetwork,
} from '@wayquest/testing';

/** Tests that pass on every kind of bus. */
export const networkSuite = (bus: 'in-process' | 'rabbitmq') => () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ bus });
  });
  afterAll(() => network.stop());

  test('awards points for a completed challenge, and shows them on the socket', async () => {
    const [ada, ben] = [await newUser(network), await newOnlineUser(network)];
    const challenge = await newChallenge(ada, { points: 25 });
    await network.settle();
    await complete(ben, challenge);
    await network.settle();
    expect(await ben.client.getMe()).toMatchObject({ username: ben.username, points: 25 });
    await eventually(() => expect(ben.tab.received.points).toMatchObject([{ awarded: 25, points: 25 }]));
  });
};

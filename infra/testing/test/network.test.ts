import {
  complete,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newOnlineUser,
  newUser,
  startNetwork,
} from '@wayquest/testing';
import WithComplaints from '../src/jest/environment.ts';

const onBus = (bus: 'in-process' | 'rabbitmq') => () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ bus });
  });
  afterAll(() => network.stop());

  test('serves the main job through the gateway', async () => {
    const [ada, ben] = [await newUser(network), await newOnlineUser(network)];
    const challenge = await newChallenge(ada, { points: 25 });
    await network.settle();
    await complete(ben, challenge);
    await network.settle();
    expect(await ben.client.getMe()).toMatchObject({ username: ben.username, points: 25 });
    await eventually(() => expect(ben.tab.heard.points).toMatchObject([{ awarded: 25, points: 25 }]));
  });
};

describe('a network on the in-process bus', onBus('in-process'));
(await describeWith('rabbitmq'))('a network on RabbitMQ', onBus('rabbitmq'));

test('a test that fails says what parts of its network complained of, and in which request', async () => {
  const failure = (name: 'test_fn_failure' | 'hook_failure') => {
    const error = new Error('not so');
    const told = { name, error };
    Reflect.apply(WithComplaints.prototype.handleTestEvent, { global: globalThis }, [told]);
    return error.stack;
  };
  {
    await using network = await startNetwork({ services: ['users', 'friends'] });
    expect(failure('test_fn_failure')).not.toContain('complained');
    const requestId = 'a-request-of-ours';
    network.logger.child({ service: 'friends' }).warn({ requestId }, 'something is odd');
  }
  expect(failure('test_fn_failure')).toMatch(
    /^Error: not so\n\nfriends complained:\n.* WARN something is odd {"requestId":"a-request-of-ours"}\n\n +at /,
  );
});

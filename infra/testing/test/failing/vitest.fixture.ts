import { newUser, startNetwork } from '@wayquest/testing';

test('a test that fails, since a service is gone', async () => {
  await using network = await startNetwork({ services: ['users', 'friends'] });
  const ann = await newUser(network);
  await network.services.users.stop();
  await ann.client.getMe();
});

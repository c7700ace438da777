import { newUser, startNetwork } from '@wayquest/testing';

test('fails because a service has stopped', async () => {
  await using network = await startNetwork({ services: ['users', 'friends'] });
  const ann = await newUser(network);
  await network.services.users.stop();
  await ann.client.getMe();
});

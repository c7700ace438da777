import test from 'node:test';
import { newUser, startNetwork } from '@wayquest/testing';
import '@wayquest/testing/node-test';

test('a test that passes although a service is gone', async () => {
  await using network = await startNetwork({ services: ['friends'] });
  network.logger.child({ service: 'friends' }).warn('nobody minds');
});

test('a test that fails, since a service is gone', async () => {
  await using network = await startNetwork({ services: ['users', 'friends'] });
  const ann = await newUser(network);
  await network.services.users.stop();
  await ann.client.getMe();
});

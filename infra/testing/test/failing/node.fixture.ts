import test from 'node:test';
import { newUser, startNetwork } from '@wayquest/testing';
import '@wayquest/testing/node-test';

test('passes although a service logs a warning', async () => {
  await using network = await startNetwork({ services: ['friends'] });
  network.logger.child({ service: 'friends' }).warn('not reported');
});

test('fails because a service has stopped', async () => {
  await using network = await startNetwork({ services: ['users', 'friends'] });
  const ann = await newUser(network);
  await network.services.users.stop();
  await ann.client.getMe();
});

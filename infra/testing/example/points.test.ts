import assert from 'node:assert/strict';
import test from 'node:test';
import { complete, newChallenge, newUser, startNetwork } from '@wayquest/testing';
import '@wayquest/testing/node-test';

test('whoever completes a challenge gets its points', async () => {
  await using net = await startNetwork({ services: ['users', 'participation'] });
  const [ada, ben] = [await newUser(net), await newUser(net)];
  const challenge = await newChallenge(ada, { points: 25 });
  await net.settle();
  await complete(ben, challenge);
  await net.settle();
  const { points } = await ben.client.getMe();
  assert.equal(points, 25);
});

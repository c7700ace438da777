import { createTokenGuard } from '@wayquest/platform/tokens';
import { signToken, testKeys } from '@wayquest/testing';

const now = Date.now;
afterEach(() => {
  Date.now = now;
});

test('rejects an expired token that it verified a moment before', async () => {
  const guard = createTokenGuard({
    publicKey: testKeys().publicKey,
    revocations: { covers: async () => false, suspendedUntil: async () => undefined },
  });
  const exp = Math.floor(now() / 1_000) + 2;
  const token = signToken({ sub: '7', exp });
  expect(await guard.verify(token)).toMatchObject({ id: 7 });
  Date.now = () => exp * 1_000 - 1;
  expect(await guard.verify(token)).toMatchObject({ id: 7 });
  Date.now = () => exp * 1_000;
  await expect(guard.verify(token)).rejects.toMatchObject({ code: 'invalid-token' });
});

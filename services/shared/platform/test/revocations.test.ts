import { randomUUID } from 'node:crypto';
import { prepareStore } from '@wayquest/platform/store';
import { requestContext } from '@wayquest/platform/telemetry';
import { createRevocations } from '@wayquest/platform/tokens/revocations';
import { connectTestStore, dropDatabases, monitoredStoreUrl, recordCommands } from '@wayquest/testing';
import type { Connection } from 'mongoose';

const database = `test_revocations_${randomUUID().slice(0, 8)}`;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestStore(database, { url: monitoredStoreUrl() });
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(monitoredStoreUrl(), [database]);
});

test('returns a user’s unexpired revocations, as they were published', async () => {
  const revocations = createRevocations(connection);
  await prepareStore(connection);
  const one = { userId: 1, tokenId: 'one', issuedBefore: null, expiresAt: inMinutes(5) };
  const all = { userId: 1, tokenId: null, issuedBefore: inMinutes(0), expiresAt: inMinutes(60) };
  const over = { userId: 1, tokenId: 'over', issuedBefore: null, expiresAt: inMinutes(-5) };
  const another = { userId: 2, tokenId: 'two', issuedBefore: null, expiresAt: inMinutes(5) };
  for (const data of [one, all, over, another]) await revocations.add(data);
  const found = await revocations.listFor(1);
  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining([one, all]));
});

test('the newest revocation of all tokens says until when a user is suspended, or that they are not', async () => {
  const revocations = createRevocations(connection);
  await prepareStore(connection);
  const all = { userId: 3, tokenId: null, expiresAt: inMinutes(60) };
  const revoked = (minute: number, generation: number, suspendedUntil: string | null) => ({
    ...{ ...all, issuedBefore: inMinutes(minute), generation, suspendedUntil },
  });
  const newer = revoked(-2, 5, inMinutes(90));
  await revocations.add(newer);
  await revocations.add(revoked(-3, 4, null));
  expect(await revocations.listFor(3)).toEqual([newer]);
  expect(await revocations.suspendedUntil(3)).toEqual(new Date(newer.suspendedUntil ?? ''));
  // That of a single token says nothing about it.
  await revocations.add({ ...all, tokenId: 'one', issuedBefore: null, suspendedUntil: null });
  expect(await revocations.suspendedUntil(3)).toEqual(new Date(newer.suspendedUntil ?? ''));
  await revocations.add(revoked(-1, 6, null));
  expect(await revocations.suspendedUntil(3)).toBeNull();
});

test('finds the revoked ones of 2,000 tokens with two queries', async () => {
  const revocations = createRevocations(connection);
  await prepareStore(connection);
  const now = Math.floor(Date.now() / 1_000);
  const tokens = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ jti: `of-many-${index}`, sub: 1_000 + (index % 1_500), iat: now - (index < 1_500 ? 60 : 0) },
    ...{ username: 'walker', admin: false, exp: now + 600 },
  }));
  await revocations.add({ userId: 1_001, tokenId: 'of-many-1', issuedBefore: null, expiresAt: inMinutes(5) });
  // Revokes the user's tokens up to half a minute ago, but not later ones.
  const until = new Date((now - 30) * 1_000).toISOString();
  await revocations.add({ userId: 1_499, tokenId: null, issuedBefore: until, expiresAt: inMinutes(60) });
  await revocations.add({ userId: 1_002, tokenId: null, issuedBefore: until, expiresAt: inMinutes(60) });
  const commands = recordCommands(database);
  const covered = await requestContext.run({ requestId: 'covered-of-many' }, () =>
    revocations.filterRevoked(tokens),
  );
  expect([...covered].map(({ jti }) => jti)).toEqual(['of-many-1', 'of-many-2', 'of-many-499']);
  expect(commands.map(({ commandName }) => commandName)).toEqual(['find', 'find']);
});

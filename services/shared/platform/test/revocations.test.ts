import { randomUUID } from 'node:crypto';
import { connectMongo, createRevocations, prepareCollections } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, patientTimeouts, storeUrl } from '@wayquest/testing';
import type { Connection } from 'mongoose';

const database = `test_revocations_${randomUUID().slice(0, 8)}`;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

let connection: Connection;
beforeAll(async () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  connection = await connectMongo({ timeouts: patientTimeouts, url: storeUrl(), database, logger });
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

test('tells of somebody what still matters, as it was told', async () => {
  const revocations = createRevocations(connection);
  await prepareCollections(connection);
  const one = { userId: 1, tokenId: 'one', issuedBefore: null, expiresAt: inMinutes(5) };
  const all = { userId: 1, tokenId: null, issuedBefore: inMinutes(0), expiresAt: inMinutes(60) };
  const over = { userId: 1, tokenId: 'over', issuedBefore: null, expiresAt: inMinutes(-5) };
  const another = { userId: 2, tokenId: 'two', issuedBefore: null, expiresAt: inMinutes(5) };
  for (const data of [one, all, over, another]) await revocations.add(data);
  const told = await revocations.of(1);
  expect(told).toHaveLength(2);
  expect(told).toEqual(expect.arrayContaining([one, all]));
});

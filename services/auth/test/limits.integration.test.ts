import { connectTestRedis, describeWith, startDedicated, useShared } from '@wayquest/testing';
import type { Redis } from 'ioredis';
import { call, limits, login, member, minute } from './attempts.ts';
import { newName, password, startAuthForTest } from './auth-service.ts';

const clients: Redis[] = [];
afterAll(() => {
  for (const client of clients) client.disconnect();
});
async function connected(url: string): Promise<Redis> {
  const redis = await connectTestRedis(url);
  clients.push(redis);
  return redis;
}

(await describeWith('redis'))('failed attempts at several instances', () => {
  it('are counted together', async () => {
    const redis = await connected(await useShared('redis'));
    const shared = {
      ...limits({ accountAndAddress: minute(4) }),
      databasePrefix: `test_${newName()}`,
      redis,
    };
    const instances = [await startAuthForTest(shared), await startAuthForTest(shared)] as const;
    const { username } = await member(instances[0]);
    const statuses = [];
    for (let guess = 0; guess < 6; guess += 1)
      statuses.push(await login(instances[guess % 2 === 0 ? 0 : 1], username, 'wrong'));
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  });

  it('store no name or address in Redis', async () => {
    const redis = await connected(await useShared('redis'));
    const auth = await startAuthForTest({ ...limits({}), redis });
    const before = new Set(await redis.keys('limit:auth-*'));
    const { username } = await member(auth);
    await login(auth, username, 'wrong');
    await call(auth, '/auth/forgot', { email: `${username}@example.org` });
    const keys = (await redis.keys('limit:auth-*')).filter((key) => !before.has(key));
    expect(keys.join(' ')).toContain('limit:auth-accountAndAddress');
    expect(keys.join(' ')).toContain('limit:auth-links');
    expect(keys.filter((key) => key.includes(username) || key.includes('192.0.2.1'))).toEqual([]);
  });

  it('continue to be counted without Redis', async () => {
    const own = await startDedicated('redis');
    const redis = await connected(own.address);
    const auth = await startAuthForTest({ ...limits({ accountAndAddress: minute(2) }), redis });
    const { username } = await member(auth);
    expect(await login(auth, username, password)).toBe(200);
    await own.shutDown();
    expect(await login(auth, username, password)).toBe(200);
    const statuses = [];
    for (let guess = 0; guess < 3; guess += 1) statuses.push(await login(auth, username, 'wrong'));
    expect(statuses).toEqual([401, 401, 429]);
  });
});

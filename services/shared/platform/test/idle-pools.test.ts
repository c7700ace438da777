import timers from 'node:timers';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';

const database = `test_pools_${process.pid}`;
const checkPeriodMs = 100;

afterEach(() => dropDatabases(storeUrl(), [database]));

/** How many timers of the driver's check are set while a pool is opened and used. */
async function countChecks(options: string): Promise<number> {
  const setTimeout = jest.spyOn(timers, 'setTimeout');
  const separator = storeUrl().includes('?') ? '&' : '/?';
  const connection = await connectTestStore(database, { url: `${storeUrl()}${separator}${options}` });
  await connection.collection('things').countDocuments();
  await connection.close();
  const checks = setTimeout.mock.calls.filter(([, ms]) => ms === checkPeriodMs).length;
  setTimeout.mockRestore();
  return checks;
}

test('a pool without limits sets no timers while it is idle', async () => {
  expect(await countChecks('maxPoolSize=10')).toBe(0);
});

test('the driver alone checks a pool ten times a second', async () => {
  expect(await countChecks('minPoolSize=1')).toBeGreaterThan(0);
});

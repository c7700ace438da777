import { createIdAllocator } from '@wayquest/platform/store';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';

const database = `test_ids_${process.pid}_${Date.now()}`;

test('a thousand concurrent ids of three instances are all different', async () => {
  const connections = await Promise.all([1, 2, 3].map(() => connectTestStore(database)));
  const allocators = connections.map(createIdAllocator);
  const ids = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => allocators[index % 3]?.next('thing')),
  );
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => Number.isSafeInteger(id) && Number(id) > 0)).toBe(true);
  // Each sequence starts at its own beginning.
  expect(await allocators[0]?.next('other')).toBe(1);
  await Promise.all(connections.map((connection) => connection.close()));
  await dropDatabases(storeUrl(), [database]);
});

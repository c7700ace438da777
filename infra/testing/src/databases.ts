import { MongoClient } from 'mongodb';

/** Leaves nothing of a test behind on a store that others use too. */
export async function dropDatabases(url: string, names: string[]): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

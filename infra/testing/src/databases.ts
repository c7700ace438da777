import { MongoClient } from 'mongodb';

/** Drops a test's databases on a shared store. */
export async function dropDatabases(url: string, names: string[]): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

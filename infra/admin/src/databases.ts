import { connectOrFail } from '@wayquest/platform/process';
import mongoose from 'mongoose';

export type Database = ReturnType<mongoose.mongo.MongoClient['db']>;
export type DatabaseOf = (owner: string) => Database;

export interface Databases {
  /** URL of the store. */
  url: string;
  /** Prefix of its databases. */
  installation: string;
}

export async function withDatabases<T>(
  { url, installation }: Databases,
  use: (databaseOf: DatabaseOf) => Promise<T>,
): Promise<T> {
  const opened = mongoose.createConnection(url, { serverSelectionTimeoutMS: 5_000 }).asPromise();
  const connection = await connectOrFail('MONGO_URL', opened);
  try {
    return await use((owner) => connection.getClient().db(`${installation}_${owner}`));
  } finally {
    await connection.close();
  }
}

export const collectionsOf = async (database: Database): Promise<string[]> => {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
};

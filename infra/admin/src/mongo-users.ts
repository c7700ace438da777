import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { connectOrFail } from '@wayquest/platform/settings';
import mongoose from 'mongoose';
import { runCommand } from './command.ts';

/** The folder into which `keys` writes each service's URL of its store. */
const folder = '/keys/services';

const userExists = 51_003;

/**
 * Creates a MongoDB user for each service, with access to its own database only, and with the username and password of
 * its URL. Runs with the root user's URL at each start; existing users are updated. If all services have the root
 * user's URL, the store is external, and its users are managed externally.
 */
await runCommand(async ({ MONGO_URL: root = '', INSTALLATION }) => {
  const own = serviceNames
    .map((service) => ({ service, url: readFileSync(join(folder, service, 'mongo-url'), 'utf8') }))
    .filter(({ url }) => url !== root);
  if (!own.length) return;
  const connection = await connectOrFail('MONGO_URL', mongoose.createConnection(root).asPromise());
  try {
    const admin = connection.getClient().db('admin');
    for (const { service, url } of own) {
      const { username, password: pwd } = new URL(url);
      const roles = [{ role: 'readWrite', db: `${INSTALLATION}_${service}` }];
      await admin.command({ createUser: username, pwd, roles }).catch((error: unknown) => {
        if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== userExists) throw error;
        return admin.command({ updateUser: username, pwd, roles });
      });
    }
  } finally {
    await connection.close();
  }
});

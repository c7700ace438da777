import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { connectOrFail } from '@wayquest/platform/process';
import mongoose from 'mongoose';
import { runCommand } from './command.ts';

/** Where `keys` put a folder for each service, with the address by which it reaches its store. */
const folder = '/keys/services';

const userExists = 51_003;

/**
 * Gives each service a user in MongoDB that reaches its own database and no other, with the name and password of its own
 * address. Run with the root's address at each start: one that is there already is made right. Where all services have the
 * root's, somebody else's store was named, whose users are not ours to make.
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

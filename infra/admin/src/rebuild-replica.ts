import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { requestReplicas } from '@wayquest/platform/service';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { fail, runCommand, say } from './command.ts';

const service = serviceNames.find((name) => name === process.argv[2]);
if (!service) fail(`Say whose replicas are to be made again: ${serviceNames.join(', ')}`, 2);

await runCommand(async ({ MONGO_URL, DATA_DIR, INSTALLATION }) => {
  const runningStore = join(DATA_DIR, 'mongo.url');
  const url = MONGO_URL ?? (existsSync(runningStore) ? readFileSync(runningStore, 'utf8').trim() : undefined);
  if (!url) fail('Wayquest is not running here. Start it first, or set MONGO_URL or DATA_DIR.');
  const logger = createLogger({ name: 'rebuild-replica', level: 'silent' });
  const connection = await connectMongo({ url, database: `${INSTALLATION}_${service}`, logger });
  await requestReplicas(connection, service);
  await connection.close();
  say(`The other services are asked to tell ${service} again what they know.`);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { connectMongo, createLogger, requestReplicas } from '@wayquest/platform';

const say = (sentence: string) => process.stderr.write(`${sentence}\n`);

const service = serviceNames.find((name) => name === process.argv[2]);
const runningStore = join(process.env.DATA_DIR || '.data', 'mongo.url');
const url =
  process.env.MONGO_URL || (existsSync(runningStore) ? readFileSync(runningStore, 'utf8').trim() : undefined);

if (!service) {
  say(`Say whose replicas are to be made again: ${serviceNames.join(', ')}`);
  process.exitCode = 2;
} else if (!url) {
  say('Wayquest is not running here. Start it first, or set MONGO_URL or DATA_DIR.');
  process.exitCode = 1;
} else {
  const logger = createLogger({ name: 'rebuild-replica', level: 'error' });
  const connection = await connectMongo({ url, database: `wayquest_${service}`, logger });
  await requestReplicas(connection, service);
  await connection.close();
  say(`The other services are asked to tell ${service} again what they know.`);
}

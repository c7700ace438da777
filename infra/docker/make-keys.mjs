// Generates the secrets of an installation: the key pair for tokens, and the stores' passwords. Existing ones are kept.
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

// Atomically: the next run must not find an incomplete key.
const write = (file, text, mode = 0o444) => {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
};

/** Returns the content of a file, which is created if it does not exist. */
const readOrCreate = (file, make, mode) => {
  if (!existsSync(file)) write(file, make(), mode);
  return readFileSync(file, 'utf8');
};

const [privateFile, publicFile] = ['/keys/private/key.pem', '/keys/public/key.pem'];
readOrCreate(
  privateFile,
  () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  0o400,
);
const publicKey = createPublicKey(readFileSync(privateFile)).export({ type: 'spki', format: 'pem' });
// `rotate-keys` adds the public keys of former and future private keys to this file.
if (!readOrCreate(publicFile, () => publicKey).includes(publicKey)) write(publicFile, publicKey);

const password = (file) => readOrCreate(file, () => randomBytes(24).toString('base64url'));
const mongo = password('/keys/stores/mongo-password');
const rabbitMq = password('/keys/stores/rabbitmq-password');
// Each store can read only its own password.
write('/keys/mongo/password', mongo);
const redis = password('/keys/redis/password');

// The stores of the compose file, unless these settings name others.
const { MONGO_URL, AMQP_URL, REDIS_URL, REDIS_MEMORY_LIMIT = '' } = process.env;
// With `journal`, since a server without replicas would otherwise acknowledge writes that are only in its memory.
const mongoUrl = (user, pass) =>
  MONGO_URL || `mongodb://${user}:${pass}@mongo:27017/?authSource=admin&journal=true`;
const amqpUrl = (user, pass) => AMQP_URL || `amqp://${user}:${pass}@rabbitmq:5672`;

/** A user in RabbitMQ's definitions, with a salted hash of the password. */
function rabbitMqUser(name, pass, tags) {
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(pass).digest();
  const password_hash = Buffer.concat([salt, hash]).toString('base64');
  return { name, password_hash, hashing_algorithm: 'rabbit_password_hashing_sha256', tags };
}
const everything = { configure: '.*', write: '.*', read: '.*' };
const rabbitMqUsers = [rabbitMqUser('wayquest', rabbitMq, ['administrator'])];
const permissions = [{ user: 'wayquest', vhost: '/', ...everything }];

// For administration; and for each service, in a folder that no other service can read.
write('/keys/stores/mongo-url', mongoUrl('wayquest', mongo));
write('/keys/stores/amqp-url', amqpUrl('wayquest', rabbitMq));
for (const service of readdirSync('/keys/services')) {
  const folder = `/keys/services/${service}`;
  write(`${folder}/mongo-url`, mongoUrl(service, password(`${folder}/mongo-password`)));
  const pass = password(`${folder}/rabbitmq-password`);
  write(`${folder}/amqp-url`, amqpUrl(service, pass));
  rabbitMqUsers.push(rabbitMqUser(service, pass, []));
  // Its own queues, of any installation. It sends events to those of others, through the default exchange.
  const own = `[a-z0-9_-]+\\.${service}(\\..*)?`;
  const rights = { configure: `^${own}$`, write: `^(amq\\.default|${own})$`, read: `^${own}$` };
  permissions.push({ user: service, vhost: '/', ...rights });
}
// RabbitMQ loads them whenever it starts; other users and permissions stay as they are.
write(
  '/keys/rabbitmq/definitions.json',
  JSON.stringify({ users: rabbitMqUsers, vhosts: [{ name: '/' }], permissions }),
);
write('/keys/redis/url', REDIS_URL || `redis://:${redis}@redis:6379`);

/**
 * How much memory Redis may fill, in bytes: it refuses writes then, and goes on. Above its container's limit the kernel would kill
 * it, with everything in it.
 */
function maxMemory() {
  const [, amount, unit = 'b'] = /^(\d+)([bkmg])?b?$/i.exec(REDIS_MEMORY_LIMIT) ?? [];
  if (!amount) throw new Error(`REDIS_MEMORY_LIMIT must be like 512m, not "${REDIS_MEMORY_LIMIT}".`);
  return Math.floor(0.75 * Number(amount) * 1024 ** 'bkmg'.indexOf(unit.toLowerCase()));
}
write(
  '/keys/redis/redis.conf',
  `requirepass ${redis}\nbind * -::*\ndir /data\nmaxmemory ${maxMemory()}\nmaxmemory-policy noeviction\n`,
);

// Generates the secrets of an installation: the key pair for tokens, and the stores' passwords. Existing ones are kept; with
// `--new-passwords` all programs get new ones.
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** For the programs of Wayquest, which all run as one user. */
const ownerOnly = 0o400;
/** For stores, which run as users of their own; and for what is no secret. */
const everybody = 0o444;

// Atomically: the next run must not find an incomplete key.
const write = (file, text, mode = ownerOnly) => {
  // An interrupted run may have left one, which not even its owner can write to.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
};

/** Returns the content of a file, which is created if it does not exist. */
const readOrCreate = (file, make, mode = ownerOnly, renew = false) => {
  if (renew || !existsSync(file)) write(file, make(), mode);
  // One of an earlier version may be readable for everybody.
  chmodSync(file, mode);
  return readFileSync(file, 'utf8');
};

const [privateFile, publicFile] = ['/keys/private/key.pem', '/keys/public/key.pem'];
readOrCreate(privateFile, () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
const publicKey = createPublicKey(readFileSync(privateFile)).export({ type: 'spki', format: 'pem' });
// `rotate-keys` adds the public keys of former and future private keys to this file.
if (!readOrCreate(publicFile, () => publicKey, everybody).includes(publicKey))
  write(publicFile, publicKey, everybody);

const newPasswords = process.argv.includes('--new-passwords');
const password = (file, mode, renew = newPasswords) =>
  readOrCreate(file, () => randomBytes(24).toString('base64url'), mode, renew);
// MongoDB reads it at the very first start only.
const mongo = password('/keys/stores/mongo-password', ownerOnly, false);
const rabbitMq = password('/keys/stores/rabbitmq-password');
// Each store can read only its own password.
write('/keys/mongo/password', mongo, everybody);
const redis = password('/keys/redis/password', everybody);

// The stores of the compose file, unless these settings name others.
const { MONGO_URL, AMQP_URL, REDIS_URL, REDIS_MEMORY_LIMIT = '' } = process.env;
const installation = process.env.INSTALLATION || 'wayquest';
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

const redisUsers = [];

/**
 * Adds a Redis user for a program, who may use the program's own keys only, and no command that concerns the server or other users
 * (`INFO` tells the client that Redis has loaded its data). `ownKeys` are patterns of keys and channels.
 */
function addRedisUser(program, folder, ownKeys = `~${installation}:${program}:*`) {
  const pass = password(`${folder}/redis-password`);
  write(`${folder}/redis-url`, REDIS_URL || `redis://${program}:${pass}@redis:6379`);
  const hash = createHash('sha256').update(pass).digest('hex');
  redisUsers.push(`user ${program} on #${hash} ${ownKeys} +@all -@dangerous +info`);
}

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
  if (service !== 'realtime') addRedisUser(service, folder);
}
// Its keys are those of who is online; and it has the channels by which its instances reach each other's sockets.
addRedisUser('realtime', '/keys/services/realtime', `~${installation}:presence:* &${installation}#*`);
addRedisUser('gateway', '/keys/gateway');
// Reports the state of the stores, and has no keys.
addRedisUser('backup', '/keys/stores', '');
// RabbitMQ loads them whenever it starts; other users and permissions stay as they are.
write(
  '/keys/rabbitmq/definitions.json',
  JSON.stringify({ users: rabbitMqUsers, vhosts: [{ name: '/' }], permissions }),
  everybody,
);

/**
 * How much memory Redis may fill, in bytes: it refuses writes then, and goes on. Above its container's limit the kernel would kill
 * it, with everything in it.
 */
function maxMemory() {
  const [, amount, unit = 'b'] = /^(\d+)([bkmg])?b?$/i.exec(REDIS_MEMORY_LIMIT) ?? [];
  if (!amount) throw new Error(`REDIS_MEMORY_LIMIT must be like 512m, not "${REDIS_MEMORY_LIMIT}".`);
  return Math.floor(0.75 * Number(amount) * 1024 ** 'bkmg'.indexOf(unit.toLowerCase()));
}
// The password without a user is the operator's, who may do everything.
const redisSettings = [
  `requirepass ${redis}`,
  'bind * -::*',
  'dir /data',
  `maxmemory ${maxMemory()}`,
  'maxmemory-policy noeviction',
  ...redisUsers,
];
write('/keys/redis/redis.conf', `${redisSettings.join('\n')}\n`, everybody);

// Makes what nobody may know, once: the pair of keys that tokens are signed and verified with, and the stores' passwords.
// A later run finds them and leaves them.
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

// Under another name first: half a key must not be found by the next run.
const write = (file, text, mode = 0o444) => {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
};

/** What the file holds, or else what is made for it. */
const once = (file, make, mode) => {
  if (!existsSync(file)) write(file, make(), mode);
  return readFileSync(file, 'utf8');
};

const [privateFile, publicFile] = ['/keys/private/key.pem', '/keys/public/key.pem'];
once(
  privateFile,
  () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  0o400,
);
const publicHalf = createPublicKey(readFileSync(privateFile)).export({ type: 'spki', format: 'pem' });
// Beside it may be those of keys that have signed before, or of one that will: `rotate-keys`.
if (!once(publicFile, () => publicHalf).includes(publicHalf)) write(publicFile, publicHalf);

const password = (file) => once(file, () => randomBytes(24).toString('base64url'));
const mongo = password('/keys/stores/mongo-password');
const rabbitMq = password('/keys/stores/rabbitmq-password');
// Each of the stores sees its own alone.
write('/keys/mongo/password', mongo);
write('/keys/rabbitmq/password', rabbitMq);
const redis = password('/keys/redis/password');

// The stores of compose, unless whoever runs it names others.
const { MONGO_URL, AMQP_URL, REDIS_URL } = process.env;
const mongoUrl = (user, pass) => MONGO_URL || `mongodb://${user}:${pass}@mongo:27017/?authSource=admin`;
const amqpUrl = AMQP_URL || `amqp://wayquest:${rabbitMq}@rabbitmq:5672`;
// Of whoever may do everything in them; and of each service, in a folder that no other one sees.
write('/keys/stores/mongo-url', mongoUrl('wayquest', mongo));
write('/keys/stores/amqp-url', amqpUrl);
for (const service of readdirSync('/keys/services')) {
  const folder = `/keys/services/${service}`;
  write(`${folder}/mongo-url`, mongoUrl(service, password(`${folder}/mongo-password`)));
  write(`${folder}/amqp-url`, amqpUrl);
}
write('/keys/redis/url', REDIS_URL || `redis://:${redis}@redis:6379`);
write('/keys/redis/redis.conf', `requirepass ${redis}\nbind * -::*\ndir /data\n`);

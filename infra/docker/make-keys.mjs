// Makes the pair of keys that tokens are signed and verified with, once; a later run finds them and leaves them.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [privateFile, publicFile] = ['/keys/private/key.pem', '/keys/public/key.pem'];

// Under another name first: half a key must not be found by the next run.
const write = (file, text, mode) => {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
};

if (!existsSync(privateFile)) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  write(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o400);
}
const publicKey = createPublicKey(readFileSync(privateFile));
write(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), 0o444);

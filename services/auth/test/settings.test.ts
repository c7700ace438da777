import { generateKeyPairSync } from 'node:crypto';
import { loadSettings } from '@wayquest/platform/settings';
import { googleConfig, settings } from '../src/settings.ts';
import { keys } from './auth-service.ts';

const env = {
  JWT_PRIVATE_KEY: keys.privateKey,
  JWT_PUBLIC_KEY: keys.publicKey,
};
const load = (changes: NodeJS.ProcessEnv = {}) => loadSettings(settings, { ...env, ...changes });
const pair = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

it('settings are valid without Google', () => {
  expect(googleConfig(load())).toBeUndefined();
});

it('settings accept several public keys if one belongs to the private key', () => {
  expect(() => load({ JWT_PUBLIC_KEY: pair(2048).publicKey + keys.publicKey })).not.toThrow();
});

it('settings accept Google’s client and the public URL', () => {
  const loaded = load({
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    PUBLIC_URL: 'https://wayquest.example/',
  });
  expect(googleConfig(loaded)).toEqual({ clientId: 'id', clientSecret: 'secret' });
  expect(loaded.PUBLIC_URL).toBe('https://wayquest.example');
});

it.each([
  ['JWT_PRIVATE_KEY', { JWT_PRIVATE_KEY: 'not a key' }, 'must be a private RSA key of at least 2048 bits'],
  [
    'JWT_PRIVATE_KEY',
    { JWT_PRIVATE_KEY: pair(1024).privateKey },
    'must be a private RSA key of at least 2048',
  ],
  ['JWT_PRIVATE_KEY', { JWT_PRIVATE_KEY: ed25519 }, 'must be a private RSA key of at least 2048 bits'],
  [
    'JWT_PUBLIC_KEY',
    { JWT_PUBLIC_KEY: pair(2048).publicKey },
    'must contain the public key of JWT_PRIVATE_KEY',
  ],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'id' }, 'must be set together with GOOGLE_CLIENT_ID'],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_SECRET: 'x' }, 'must be set together with GOOGLE_CLIENT_ID'],
  ['REGISTRATION', { REGISTRATION: 'friends' }, 'must be open, invitation or closed'],
  ['PUBLIC_URL', { PUBLIC_URL: 'wayquest' }, 'must be an http:// or https:// address'],
  ['PUBLIC_URL', { PUBLIC_URL: 'ftp://wayquest.example' }, 'must be an http:// or https:// address'],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://wayquest.example/app' }, 'must be an origin, without a path'],
])('settings reject an invalid %s %#', (name, changes, sentence) => {
  expect(() => load(changes)).toThrow(`${name}: ${sentence}`);
});

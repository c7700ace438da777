import { generateKeyPairSync } from 'node:crypto';
import { loadSettings } from '@wayquest/platform/settings';
import { googleConfig, openIdConfig, settings } from '../src/settings.ts';
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

const openId = {
  OIDC_ISSUER: 'https://id.example/realms/people',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
};

it('settings are valid without an OpenID Connect provider, and without passwords only with another login', () => {
  expect(openIdConfig(load())).toBeUndefined();
  expect(openIdConfig(load({ OIDC_SIGNUP: 'off', OIDC_NAME: 'Nobody', OIDC_ISSUER: '' }))).toBeUndefined();
  expect(load().PASSWORD_LOGIN).toBe('on');
  expect(load({ ...openId, PASSWORD_LOGIN: 'off' }).PASSWORD_LOGIN).toBe('off');
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  expect(load({ ...google, PASSWORD_LOGIN: 'off' }).PASSWORD_LOGIN).toBe('off');
});

it('settings accept an OpenID Connect provider, on this machine without TLS', () => {
  const config = { issuer: openId.OIDC_ISSUER, clientId: 'id', clientSecret: 'secret', signUp: true };
  expect(openIdConfig(load(openId))).toEqual(config);
  const chosen = { OIDC_NAME: ' The hiking club ', OIDC_SIGNUP: 'off', OIDC_ADMIN_GROUP: 'admins' };
  expect(openIdConfig(load({ ...openId, ...chosen }))).toEqual({
    ...config,
    ...{ name: 'The hiking club', signUp: false, adminGroup: 'admins' },
  });
  for (const issuer of ['http://localhost:8081', 'http://127.0.0.1:8081/realms/people'])
    expect(openIdConfig(load({ ...openId, OIDC_ISSUER: issuer }))?.issuer).toBe(issuer);
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
  ['OIDC_ISSUER', { ...openId, OIDC_ISSUER: 'id.example' }, 'must be an https:// address without a query'],
  ['OIDC_ISSUER', { ...openId, OIDC_ISSUER: 'http://id.example' }, 'must be an https:// address'],
  ['OIDC_ISSUER', { ...openId, OIDC_ISSUER: 'https://id.example?a=b' }, 'must be an https:// address'],
  ['OIDC_ISSUER', { ...openId, OIDC_CLIENT_SECRET: '' }, 'must be set together with OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', { ...openId, OIDC_ISSUER: '' }, 'must be set together with OIDC_CLIENT_ID'],
  ['OIDC_NAME', { ...openId, OIDC_NAME: 'x'.repeat(41) }, 'must have at most 40 characters'],
  ['OIDC_SIGNUP', { ...openId, OIDC_SIGNUP: 'yes' }, 'must be on or off'],
  ['PASSWORD_LOGIN', { ...openId, PASSWORD_LOGIN: 'admins' }, 'must be on or off'],
  [
    'PASSWORD_LOGIN',
    { PASSWORD_LOGIN: 'off' },
    'can be off only with OIDC_ISSUER or GOOGLE_CLIENT_ID, else members could not log in',
  ],
  ['REGISTRATION', { REGISTRATION: 'friends' }, 'must be open, approval, invitation or closed'],
  ['PUBLIC_URL', { PUBLIC_URL: 'wayquest' }, 'must be an http:// or https:// address'],
  ['PUBLIC_URL', { PUBLIC_URL: 'ftp://wayquest.example' }, 'must be an http:// or https:// address'],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://wayquest.example/app' }, 'must be an origin, without a path'],
])('settings reject an invalid %s %#', (name, changes, sentence) => {
  expect(() => load(changes)).toThrow(`${name}: ${sentence}`);
});

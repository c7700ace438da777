import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, SettingsError, serviceSettings, watchFile } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { generateKeys, testKeys } from '@wayquest/testing';

const good = {
  MONGO_URL: 'mongodb://store',
  AMQP_URL: 'amqp://bus',
  JWT_PUBLIC_KEY: testKeys().publicKey,
};

const failure = (env: NodeJS.ProcessEnv): string => {
  try {
    loadSettings(serviceSettings, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
  }
  throw new Error('these settings were taken');
};

test('all invalid and missing settings are reported together', () => {
  const message = failure({
    PORT: '99999',
    LOG_LEVEL: 'loud',
    MONGO_URL: 'postgres://x',
    JWT_PUBLIC_KEY: 'x',
  });
  for (const name of ['PORT', 'LOG_LEVEL', 'MONGO_URL', 'AMQP_URL', 'JWT_PUBLIC_KEY']) {
    expect(message).toContain(`  ${name}: `);
  }
  expect(message).toContain('  AMQP_URL: must be set');
  expect(message).not.toContain('REDIS_URL');
});

test('an empty variable counts as absent', () => {
  expect(loadSettings(serviceSettings, { ...good, PORT: '', REDIS_URL: '' })).toMatchObject({ PORT: 8080 });
  expect(failure({ ...good, AMQP_URL: '' })).toContain('AMQP_URL');
});

test('NAME_FILE names a file that contains the value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayquest-settings-'));
  const file = join(folder, 'mongo-url');
  writeFileSync(file, 'mongodb://from-a-file');
  const { MONGO_URL: _, ...others } = good;
  expect(loadSettings(serviceSettings, { ...others, MONGO_URL_FILE: file }).MONGO_URL).toBe(
    'mongodb://from-a-file',
  );
  rmSync(folder, { recursive: true });
});

test('unreadable files and settings that are set twice are reported with the others', () => {
  const message = failure({
    ...good,
    PORT: 'x',
    MONGO_URL: '',
    MONGO_URL_FILE: '/nowhere',
    AMQP_URL_FILE: '/nowhere',
  });
  expect(message).toContain('  MONGO_URL: MONGO_URL_FILE names /nowhere, which cannot be read (ENOENT)');
  expect(message).toContain('  AMQP_URL: is set, and so is AMQP_URL_FILE; set only one of them');
  expect(message).toContain('  PORT: ');
});

test.each(['1e3', '0x50', '80.5', '-1', '8 0', '８０', 'Infinity', '65536', '99999999999999999999'])(
  'rejects the port %p',
  (PORT) => {
    expect(failure({ ...good, PORT })).toContain('  PORT: must be a whole number, from 0 to 65535');
  },
);

test('values are trimmed, and blank ones are absent', () => {
  expect(loadSettings(serviceSettings, { ...good, PORT: ' 3\n', MANAGEMENT_PORT: ' ' })).toMatchObject({
    PORT: 3,
    MANAGEMENT_PORT: 9090,
  });
});

test.each([
  ['MONGO_URL', 'mongodb://'],
  ['MONGO_URL', 'mongodb:/store'],
  ['MONGO_URL', 'http://store'],
  ['MONGO_URL', 'mongodb://store:port'],
  ['AMQP_URL', 'amqp:bus'],
  ['AMQP_URL', 'amqp://'],
])('rejects the URL %s=%s', (name, url) => {
  expect(failure({ ...good, [name]: url })).toContain(`  ${name}: must be an address like `);
});

test.each([
  'mongodb://store',
  'mongodb://ann:s%40fe@one:27017,two:27018/?replicaSet=rs0',
  'mongodb+srv://cluster.example/',
])('accepts the store URL %s', (MONGO_URL) => {
  expect(loadSettings(serviceSettings, { ...good, MONGO_URL })).toMatchObject({ MONGO_URL });
});

test('several public keys are accepted, if each of them is valid', () => {
  const [one, other] = [good.JWT_PUBLIC_KEY, generateKeys().publicKey];
  const load = (JWT_PUBLIC_KEY: string) => loadSettings(serviceSettings, { ...good, JWT_PUBLIC_KEY });
  expect(load(`${one}${other}`).JWT_PUBLIC_KEY).toContain(other.trim());
  for (const wrong of ['-----BEGIN PUBLIC KEY-----', `${one}${other.replace(/A/g, '')}`])
    expect(failure({ ...good, JWT_PUBLIC_KEY: wrong })).toContain('JWT_PUBLIC_KEY: must be public RSA keys');
});

test('a file is read again after a change, and an invalid one changes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayquest-settings-'));
  const file = join(folder, 'key.pem');
  const [before, after] = [good.JWT_PUBLIC_KEY, generateKeys().publicKey];
  writeFileSync(file, before);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const schema = serviceSettings.shape.JWT_PUBLIC_KEY;
  const immediate = watchFile(file, schema, { logger, everyMs: 0 });
  const later = watchFile(file, schema, { logger });
  writeFileSync(file, after);
  expect([immediate(), later()]).toEqual([after.trim(), before.trim()]);
  writeFileSync(file, 'half a key');
  expect(immediate()).toBe(after.trim());
  rmSync(folder, { recursive: true });
  expect(immediate()).toBe(after.trim());
});

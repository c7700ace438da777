import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, SettingsError, serviceSettings } from '@wayquest/platform';

const good = {
  MONGO_URL: 'mongodb://store',
  AMQP_URL: 'amqp://bus',
  JWT_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----',
};

const failure = (env: NodeJS.ProcessEnv): string => {
  try {
    loadSettings(serviceSettings, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
  }
  throw new Error('these settings were taken');
};

test('names every wrong and every missing setting at once', () => {
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

test('NAME_FILE is a file that holds the value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayquest-settings-'));
  const file = join(folder, 'mongo-url');
  writeFileSync(file, 'mongodb://from-a-file');
  const { MONGO_URL: _, ...others } = good;
  expect(loadSettings(serviceSettings, { ...others, MONGO_URL_FILE: file }).MONGO_URL).toBe(
    'mongodb://from-a-file',
  );
  rmSync(folder, { recursive: true });
});

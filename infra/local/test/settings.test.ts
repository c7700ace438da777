import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Limit, limits } from '@wayquest/platform/core';
import { type Environment, loadSettings, settingsIn } from '@wayquest/platform/settings';
import { testKeys } from '@wayquest/testing';
import { parse } from 'yaml';
import { z } from 'zod';
import { limitsPage, rulesManifest, settingsPage } from '../dev/pages.ts';
import { devSettings, environmentWith } from '../dev/settings.ts';
import { programs } from '../src/programs.ts';
import { allInOneSettings } from '../src/settings.ts';

const root = resolve(import.meta.dirname, '../../..');
const keys = testKeys();

/** Required settings. */
const requiredSettings = {
  MONGO_URL: 'mongodb://store',
  AMQP_URL: 'amqp://bus',
  JWT_PRIVATE_KEY: keys.privateKey,
  JWT_PUBLIC_KEY: keys.publicKey,
  ...Object.fromEntries(programs.map(({ name }) => [`${name.toUpperCase()}_URL`, `http://${name}:8080`])),
};

/** Valid values that differ from the defaults. A setting that is missing here fails its tests. */
const chosen: Record<string, string> = {
  ...requiredSettings,
  REDIS_URL: 'redis://redis.example:6379',
  GOOGLE_CLIENT_ID: 'an-id',
  GOOGLE_CLIENT_SECRET: 'a-secret',
  OIDC_ISSUER: 'https://id.example/people',
  OIDC_CLIENT_ID: 'another-id',
  OIDC_CLIENT_SECRET: 'another-secret',
  OIDC_NAME: 'The hiking club',
  OIDC_SIGNUP: 'off',
  OIDC_ADMIN_GROUP: 'wayquest-admins',
  PASSWORD_LOGIN: 'off',
  PUBLIC_URL: 'https://wayquest.example',
  SMTP_URL: 'smtps://user:secret@mail.example',
  MAIL_FROM: 'people@wayquest.example',
  SITE_NAME: 'The Hiking Club',
  SITE_LANGUAGE: 'zh',
  SITE_FOLDER: '/somewhere/site',
  SITE_COLOR: '#1d7a4f',
  DATA_DIR: '/somewhere/data',
  DELETION_GRACE_DAYS: '6',
  REGISTRATION: 'invitation',
  MAX_OWN_CHALLENGE_AWARDS_PER_DAY: '7',
  PAIR_POINTS_REVIEW_THRESHOLD: '299',
  PICTURES_PER_HOUR: '8',
  ARCHIVES_PER_DAY: '4',
  CHALLENGES_PER_MINUTE: '17',
  CHALLENGES_PER_DAY: '18',
  COMPLETIONS_PER_MINUTE: '19',
  COMPLETIONS_PER_DAY: '21',
  PHOTOS_PER_HOUR: '30',
  MESSAGES_PER_MINUTE: '22',
  MESSAGES_UNANSWERED: '28',
  FRIEND_REQUESTS_PER_DAY: '29',
  REPORTS_PER_MINUTE: '23',
  REPORTS_PER_DAY: '24',
  REPORTER_DAYS: '25',
  PLACE_REQUESTS_PER_DAY: '26',
  PLACE_RESPONSE_DAYS: '27',
  PUSH_SERVICES: 'https://push.example',
  PUSH_CONTACT: 'mailto:push@wayquest.example',
  PLACES_GEOCODER: 'photon',
  PHOTON_URL: 'https://photon.example',
  NOMINATIM_URL: 'https://nominatim.example',
  OVERPASS_URL: 'https://overpass.example/api',
  PLACES_CONTACT: 'maps@wayquest.example',
  PLACES_REQUESTS_PER_SECOND: '9',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
  OTEL_TRACES_SAMPLER_ARG: '0.25',
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '2',
  HSTS_SUBDOMAINS: '1',
  SECURITY_CONTACT: 'mailto:security@wayquest.example',
  RATE_LIMIT_PER_IP: '11',
  RATE_LIMIT_PER_TOKEN: '12',
  RATE_LIMIT_LOGIN_PER_IP: '13',
  MAX_CONCURRENT_REQUESTS_PER_IP: '14',
  MAX_CONCURRENT_REQUESTS_PER_TOKEN: '15',
  MAX_SOCKETS_PER_IP: '16',
  GOOGLE_MAPS_API_KEY: 'a-key',
  MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png',
  MAP_TILES_ATTRIBUTION: 'Somebody',
  MAP_START: '52.52,13.41',
  MAP_START_ZOOM: '9',
  WEB_DIRECTORY: '/somewhere/else',
  NODE_ENV: 'development',
};

const Values = z.record(z.string(), z.unknown());
const loadedValue = (schema: z.ZodType, setting: string, env: Environment) =>
  Values.parse(loadSettings(schema, env))[setting];

const Compose = z.object({
  services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).optional() })),
});
const compose = Compose.parse(
  parse(readFileSync(resolve(root, 'docker-compose.yml'), 'utf8'), { merge: true }),
);

const rows = programs.flatMap((program) =>
  Object.entries(settingsIn(program.always)).map(([setting, schema]) => ({
    ...program,
    setting,
    isFixed: z.globalRegistry.get(schema)?.setByImage === true,
  })),
);

describe.each(rows)('$setting of $name', ({ name, setting, alone, isFixed }) => {
  const value = loadedValue(alone, setting, chosen);

  test('applies in its own process', () => {
    expect(chosen).toHaveProperty([setting]);
    expect(value).toBeDefined();
    if (!(setting in requiredSettings))
      expect(loadedValue(alone, setting, requiredSettings)).not.toEqual(value);
  });

  test('applies in the all-in-one process', () => {
    // There, the public key is derived from the private one.
    if (setting === 'JWT_PUBLIC_KEY') return;
    expect(loadedValue(allInOneSettings, setting, chosen)).toEqual(value);
  });

  test('applies with make dev', () => {
    if (setting !== 'JWT_PUBLIC_KEY') expect(loadedValue(devSettings, setting, chosen)).toEqual(value);
    const known = Object.fromEntries(Object.entries(requiredSettings).filter(([other]) => other !== setting));
    expect(loadedValue(alone, setting, environmentWith(known, chosen))).toEqual(value);
  });

  test('applies in its container', () => {
    if (isFixed) return;
    const environment = compose.services[name]?.environment ?? {};
    const inFile = environment[`${setting}_FILE`];
    // Only the schema contains defaults, except for addresses that the compose file defines.
    if (inFile === undefined)
      expect(environment[setting]).toMatch(new RegExp(`^\\$\\{${setting}:-(\\w+://.*)?\\}$`));
    else expect(inFile).toMatch(/^\/keys\//);
  });
});

test('settings of make dev override settings from files', () => {
  const env = environmentWith({ MONGO_URL: 'mongodb://dev' }, { MONGO_URL_FILE: '/nowhere' });
  expect(loadSettings(z.object({ MONGO_URL: z.string() }), env)).toEqual({ MONGO_URL: 'mongodb://dev' });
});

test.each([
  ['docs/settings.md', settingsPage],
  ['docs/limits.md', limitsPage],
  ['k8s/monitoring/rules.yaml', rulesManifest],
])('infra/%s matches what it is made of (npm run pages writes it)', (file, page) => {
  expect(readFileSync(resolve(root, 'infra', file), 'utf8')).toBe(page());
});

test('the page has each variable that the compose files read', () => {
  const files = ['docker-compose.yml', 'docker-compose.edge.yml'].map((file) =>
    readFileSync(resolve(root, file), 'utf8'),
  );
  const names = files.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => !line.trim().startsWith('#') && !line.includes('_REPLICAS:-'))
      .flatMap((line) => [...line.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)),
  );
  expect(names).toContain('BIND');
  const page = settingsPage();
  expect(names.filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([]);
});

test('each limit has its own counter key', () => {
  const names = Object.values(limits).map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test.each(Object.values<Limit>(limits).filter(({ setting }) => setting))(
  'the limit of $counts for each $per is the default of $setting',
  ({ setting = '', max }) => {
    expect(loadSettings(allInOneSettings, requiredSettings)).toHaveProperty([setting], max);
  },
);

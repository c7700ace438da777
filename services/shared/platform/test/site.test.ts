import { tmpdir } from 'node:os';
import { createMailer, mailerOptionsOf, mailSettings } from '@wayquest/platform/mail';
import { defaultSite, loadSettings, siteFrom, siteSettings } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually, startMailServer } from '@wayquest/testing';

const site = (env: NodeJS.ProcessEnv) => siteFrom(loadSettings(siteSettings, env));

test('without settings an installation is Wayquest, in English', () => {
  expect(site({})).toEqual({ name: 'Wayquest', language: 'en' });
  expect(site({ SITE_NAME: ' ', SITE_LANGUAGE: '' })).toEqual(defaultSite);
});

test.each(['Ostseewege', '海边小路', 'Fox & "Goat" <3', '🦊 Trails', 'x'.repeat(40), `${'😀'.repeat(39)}x`])(
  'a name can be %s',
  (name) => {
    expect(site({ SITE_NAME: `${name}\n`, SITE_LANGUAGE: 'zh' })).toEqual({ name, language: 'zh' });
  },
);

test.each([
  ['is too long', 'x'.repeat(41)],
  ['has two lines', 'Fox\nBcc: all@people.example'],
  ['has a control character', 'Fox\u0007'],
  ['changes the direction of what follows', 'Fox\u202e'],
  ['has nothing to read', '<>&!'],
])('a name is rejected if it %s', (_, name) => {
  expect(() => site({ SITE_NAME: name })).toThrow(
    'SITE_NAME: must be up to 40 characters, with a letter or digit, and without line breaks and invisible characters',
  );
});

test('a language is rejected if there are no texts in it', () => {
  expect(() => site({ SITE_LANGUAGE: 'de' })).toThrow('SITE_LANGUAGE: must be en or zh');
});

const senderOf = (env: NodeJS.ProcessEnv) => mailerOptionsOf(loadSettings(mailSettings, env)).from;

test.each([
  [{}, 'Wayquest <wayquest@localhost>'],
  [{ SITE_NAME: '海边 Wege' }, '海边 Wege <wayquest@localhost>'],
  [{ SITE_NAME: 'Fox', MAIL_FROM: 'fox@people.example' }, 'Fox <fox@people.example>'],
  [{ SITE_NAME: 'Fox', MAIL_FROM: 'Goat <goat@people.example>' }, 'Goat <goat@people.example>'],
  [{ SITE_NAME: 'Fox', MAIL_FROM: '<goat@people.example>' }, '<goat@people.example>'],
  [{ SITE_NAME: 'A, "B" \\ <c>' }, '"A, \\"B\\" \\\\ <c>" <wayquest@localhost>'],
])('with %j mails are from %s', (env, sender) => {
  expect(senderOf(env)).toBe(sender);
});

test('a name that looks like addresses stays the name of one sender', async () => {
  const server = await startMailServer();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const from = senderOf({ SITE_NAME: 'Fox <a@b.example>, "Goat"', MAIL_FROM: 'fox@people.example' });
  const mailer = createMailer({ smtpUrl: server.url, from, directory: tmpdir(), logger });
  mailer.send({ to: 'ann@people.example', subject: 'Hello', text: 'Hello' });
  await eventually(() => server.lines.includes('.'));
  await mailer.close();
  await server.stop();
  expect(server.lines).toContain('MAIL FROM:<fox@people.example>');
  expect(server.lines).toContain('From: "Fox <a@b.example>, \\"Goat\\"" <fox@people.example>');
});

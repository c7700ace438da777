import { readFile } from 'node:fs/promises';
import { securityEvents } from '@wayquest/platform/telemetry';
import { listeningLogger } from '@wayquest/testing';
import { parse } from 'yaml';
import { bodyOf, member, newName, password, startAuthForTest } from './auth-service.ts';

it('logs who failed to log in, who changed what, and who was rejected, with the address and without typed text', async () => {
  const { logger, said, security } = listeningLogger();
  const accountAndAddress = { max: 1, seconds: 60 };
  const auth = await startAuthForTest({ logger, attemptLimits: { accountAndAddress } });
  const { username, token, id } = await member(auth);
  const nobody = newName();
  const address = '192.0.2.7';
  const login = (name: string, secret: string) =>
    fetch(`${auth.url}/auth/login`, bodyOf({ username: name, password: secret }, address));

  await login(username, 'not the password');
  await login(nobody, 'not the password');
  await login(username, password);
  await auth.client.changeUsername({ body: { username: newName() } }, { token });
  await auth.client.changePassword(
    { body: { currentPassword: password, newPassword: 'one more long password' } },
    { token },
  );

  const told = security();
  expect(told.map(({ security, userId, address }) => [security, userId, address])).toEqual([
    ['login-failed', id, address],
    ['login-failed', undefined, address],
    ['rate-limited', undefined, address],
    ['username-changed', id, expect.any(String)],
    ['password-changed', id, expect.any(String)],
  ]);
  expect(told[2]).toMatchObject({ operation: 'POST /auth/login' });
  for (const typed of [username, nobody, password, 'not the password', 'one more long password', token])
    expect(said(typed)).toBe(false);
});

it('alerts only use events that exist', async () => {
  const file = new URL('../../../infra/prometheus/security.rules.yml', import.meta.url);
  const { groups }: { groups: { rules: { expr: string }[] }[] } = parse(await readFile(file, 'utf8'));
  for (const { expr } of groups.flatMap(({ rules }) => rules)) {
    const [, event] = /wayquest_security_events_total\{event="([\w-]+)"\}/.exec(expr) ?? [];
    expect(securityEvents).toContain(event);
  }
});

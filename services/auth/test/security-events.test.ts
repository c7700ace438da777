import { readFile } from 'node:fs/promises';
import { securityEvents } from '@wayquest/platform/telemetry';
import { createRecordingLogger, newDecision } from '@wayquest/testing';
import { parse } from 'yaml';
import { bodyOf, member, newName, password, startAuthForTest } from './auth-service.ts';

it('logs failed logins, account changes and rate-limited calls with the client address, and without typed text', async () => {
  const { logger, hasLogged, securityEvents } = createRecordingLogger();
  const accountAndAddress = { max: 1, seconds: 60 };
  const auth = await startAuthForTest({ logger, attemptLimits: { accountAndAddress } });
  const { username, token, id } = await member(auth);
  const unknown = newName();
  const address = '192.0.2.7';
  const login = (name: string, secret: string) =>
    fetch(`${auth.url}/auth/login`, bodyOf({ username: name, password: secret }, address));

  await login(username, 'not the password');
  await login(unknown, 'not the password');
  await login(username, password);
  await auth.client.changeUsername({ body: { username: newName() } }, { token });
  await auth.client.changePassword(
    { body: { currentPassword: password, newPassword: 'one more long password' } },
    { token },
  );

  const events = securityEvents();
  expect(events.map(({ security, userId, address }) => [security, userId, address])).toEqual([
    ['login-failed', id, address],
    ['login-failed', undefined, address],
    ['rate-limited', undefined, address],
    ['username-changed', id, expect.any(String)],
    ['password-changed', id, expect.any(String)],
  ]);
  expect(events[2]).toMatchObject({ operation: 'POST /auth/login' });
  for (const typed of [username, unknown, password, 'not the password', 'one more long password', token])
    expect(hasLogged(typed)).toBe(false);
});

it('logs each suspension once, also when its decision arrives twice or after a newer one (code 18)', async () => {
  const { logger, securityEvents } = createRecordingLogger();
  const auth = await startAuthForTest({ logger });
  const { id, username } = await member(auth);
  const decided = (version: number, decision: 'suspend' | 'restore') =>
    newDecision({
      ...{ kind: 'user', subjectId: id, affectedUserId: id, version, decision },
      suspendedUntil: decision === 'suspend' ? new Date(Date.now() + 86_400_000).toISOString() : null,
    });
  const [first, restored, second] = [decided(1, 'suspend'), decided(2, 'restore'), decided(3, 'suspend')];
  for (const event of [first, first, restored, first, second, restored, second]) {
    await auth.publish(event);
    await auth.settle();
  }
  expect(securityEvents().map(({ security }) => security)).toEqual(['suspended', 'suspended']);
  await expect(auth.client.login({ body: { username, password } })).rejects.toMatchObject({
    problem: { code: 'suspended' },
  });
});

it('logs a canceled deletion and a new username once, however often they are repeated (code 18)', async () => {
  const { logger, securityEvents } = createRecordingLogger();
  const auth = await startAuthForTest({ logger });
  const { username, token } = await member(auth);
  const next = newName();
  for (let n = 0; n < 2; n += 1) await auth.client.changeUsername({ body: { username: next } }, { token });
  await auth.client.deleteAccount({ body: { currentPassword: password } }, { token });
  await Promise.all([1, 2, 3].map(() => auth.client.login({ body: { username: next, password } })));
  expect(username).not.toBe(next);
  expect(securityEvents().map(({ security }) => security)).toEqual([
    'username-changed',
    'deletion-requested',
    'deletion-canceled',
  ]);
});

it('alert rules only use security events that exist', async () => {
  const file = new URL('../../../infra/prometheus/security.rules.yml', import.meta.url);
  const { groups }: { groups: { rules: { expr: string }[] }[] } = parse(await readFile(file, 'utf8'));
  for (const { expr } of groups.flatMap(({ rules }) => rules)) {
    const [, event] = /wayquest_security_events_total\{event="([\w-]+)"\}/.exec(expr) ?? [];
    expect(securityEvents).toContain(event);
  }
});

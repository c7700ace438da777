import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecurityEvents, logSecurityEvent, requestContext } from '@wayquest/platform/telemetry';
import { createRecordingLogger } from '@wayquest/testing';
import { createSecurityLog } from '../src/telemetry/security-log.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wayquest-security-'));
});

afterEach(() => {
  keepSecurityEvents(undefined, 'auth');
  rmSync(folder, { recursive: true });
});

const linesOf = (file: string): unknown[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('writes each security event into a file of its own, beside the log', () => {
  const { logger, securityEvents } = createRecordingLogger();
  keepSecurityEvents(join(folder, 'new'), 'auth');
  requestContext.run({ requestId: 'request-1', address: '192.0.2.7' }, () =>
    logSecurityEvent(logger, { event: 'login-failed', service: 'auth', userId: 7 }),
  );
  logger.info('a call');
  const line = { security: 'login-failed', address: '192.0.2.7', userId: 7 };
  expect(linesOf('new/auth.log')).toEqual([
    { ...line, service: 'auth', requestId: 'request-1', time: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  expect(securityEvents()).toMatchObject([line]);
});

it('logs an event whose file cannot be written, and says so', () => {
  const { logger, securityEvents, hasLogged } = createRecordingLogger();
  writeFileSync(join(folder, 'file'), '');
  keepSecurityEvents(join(folder, 'file'), 'auth');
  logSecurityEvent(logger, { event: 'login-failed', service: 'auth' });
  expect(securityEvents()).toMatchObject([{ security: 'login-failed' }]);
  expect(hasLogged('a security event could not be written to its file')).toBe(true);
});

it('keeps the newest files, of about the same size, also of two processes', () => {
  const size = { maxBytes: 20, maxFiles: 3 };
  const logs = [createSecurityLog(folder, 'auth', size), createSecurityLog(folder, 'auth', size)];
  for (let number = 0; number < 10; number++) logs[number % 2]?.write({ number });
  expect(readdirSync(folder).sort()).toEqual(['auth.log', 'auth.log.1', 'auth.log.2']);
  const kept = ['auth.log.2', 'auth.log.1', 'auth.log'].flatMap(linesOf);
  expect(kept).toEqual([4, 5, 6, 7, 8, 9].map((number) => ({ number })));
});

import { createLogger, requestContext } from '@wayquest/platform/telemetry';

const secret = 'what nobody may read';

function listen() {
  const lines: string[] = [];
  const logger = createLogger({
    ...{ name: 'test', level: 'info' },
    destination: { write: (line) => void lines.push(line) },
  });
  return { logger, last: (): unknown => JSON.parse(lines.at(-1) ?? ''), lines };
}

it('writes each line with the id of its request', () => {
  const { logger, last } = listen();
  requestContext.run({ requestId: 'request-1' }, () => logger.info({ status: 200 }, 'done'));
  expect(last()).toMatchObject({ requestId: 'request-1', status: 200, msg: 'done', name: 'test' });
  logger.info('nobody asked');
  expect(last()).not.toHaveProperty('requestId');
});

it('censors secrets at any depth, in any object', () => {
  const { logger, lines, last } = listen();
  const headers = { Authorization: secret, cookie: secret, 'Set-Cookie': [secret], accept: 'text/html' };
  const error = Object.assign(new Error('it failed', { cause: new Error('why') }), {
    request: { headers, body: { user: { password: secret } } },
  });
  logger.info({ token: secret, headers, deep: { deeper: { deepest: [{ clientSecret: secret }] } } });
  expect(last()).toMatchObject({ token: '[Redacted]', headers: { accept: 'text/html' } });
  logger.warn({ err: error }, 'it failed');
  expect(last()).toMatchObject({
    err: { type: 'Error', message: 'it failed: why', stack: expect.any(String) },
  });
  logger.warn(error);
  logger.warn({ reason: error });
  logger.child({ token: secret }).info('by a child');
  logger.info({ asked: { toJSON: () => ({ newPassword: secret }) } });
  expect(lines).toHaveLength(6);
  expect(lines.join()).not.toContain(secret);
});

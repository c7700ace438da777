import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMailer } from '@wayquest/platform/mail';
import { createRecordingLogger, eventually, startMailServer } from '@wayquest/testing';

const mail = {
  to: 'ann@wayquest.example',
  subject: 'Hello 你好',
  text: 'A link: https://wayquest.example/a?b=c\n',
};

it('sends an email, retries after a rejection, and logs no recipient', async () => {
  const server = await startMailServer({ rejections: 1 });
  const { logger, hasLogged } = createRecordingLogger();
  const mailer = createMailer({ smtpUrl: server.url, from: 'a@b.example', directory: tmpdir(), logger });
  mailer.send(mail);
  await eventually(() => server.lines.includes('.'));
  await mailer.close();
  await server.stop();
  expect(server.lines).toContain('RCPT TO:<ann@wayquest.example>');
  expect(server.lines.join('\n')).toContain('https://wayquest.example/a?b=');
  expect(hasLogged('could not send an email; retrying')).toBe(true);
  expect(hasLogged('ann@')).toBe(false);
});

const headersIn = (lines: string[], name: string) =>
  lines
    .filter((line) => line.toLowerCase().startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2));

it('marks each email as generated, and repeats it with the same id (Y1, Q6)', async () => {
  const server = await startMailServer({ failures: 1 });
  const { logger } = createRecordingLogger();
  const from = 'Wayquest <hello@wayquest.example>';
  const mailer = createMailer({ smtpUrl: server.url, from, directory: tmpdir(), logger });
  mailer.send(mail);
  await eventually(() => server.lines.filter((line) => line === '.').length === 2);
  mailer.send(mail);
  await eventually(() => server.lines.filter((line) => line === '.').length === 3);
  await mailer.close();
  await server.stop();
  const [first, repeated, other] = headersIn(server.lines, 'message-id');
  expect(first).toMatch(/^<[0-9a-f-]{36}@wayquest\.example>$/);
  expect(repeated).toBe(first);
  expect(other).not.toBe(first);
  expect(headersIn(server.lines, 'auto-submitted')).toEqual(Array(3).fill('auto-generated'));
});

it('sends one copy to a server that takes twenty seconds to accept it (Q6)', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = await startMailServer({ answered });
  const timeouts = jest.spyOn(Socket.prototype, 'setTimeout');
  const { logger, hasLogged } = createRecordingLogger();
  const mailer = createMailer({ smtpUrl: server.url, from: 'a@b.example', directory: tmpdir(), logger });
  mailer.send(mail);
  await eventually(() => server.lines.includes('.'));
  // What Node does to sockets that have been silent for so long.
  const sockets = new Set(timeouts.mock.contexts);
  timeouts.mockRestore();
  for (const socket of sockets) if (socket.timeout && socket.timeout <= 20_000) socket.emit('timeout');
  answer();
  await mailer.close();
  await server.stop();
  expect(sockets.size).toBeGreaterThan(0);
  expect(server.lines.filter((line) => line === '.')).toHaveLength(1);
  expect(headersIn(server.lines, 'message-id')).toHaveLength(1);
  expect(hasLogged('could not send')).toBe(false);
});

it.each(['550 5.1.1 user unknown', '554 rejected', '501 wrong'])(
  'does not repeat an email that the server rejects for good: %s (Q6)',
  async (rejection) => {
    const server = await startMailServer({ rejections: 9, rejection });
    const { logger, hasLogged } = createRecordingLogger();
    const mailer = createMailer({ smtpUrl: server.url, from: 'a@b.example', directory: tmpdir(), logger });
    mailer.send(mail);
    await eventually(() => hasLogged('"msg":"could not send an email"'));
    await mailer.close();
    await server.stop();
    expect(server.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1);
    expect(hasLogged('retrying')).toBe(false);
  },
);

it('writes an email to a file with the same headers (Y1)', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-mail-'));
  const { logger } = createRecordingLogger();
  const mailer = createMailer({ from: 'a@b.example', directory, logger });
  mailer.send(mail);
  await mailer.close();
  const [name = ''] = await readdir(directory);
  const [head = ''] = (await readFile(join(directory, name), 'utf8')).split('\n\n');
  expect(head.split('\n')).toEqual(
    expect.arrayContaining([
      'Auto-Submitted: auto-generated',
      expect.stringMatching(/^Message-ID: <.+@b\.example>$/),
    ]),
  );
  await rm(directory, { recursive: true });
});

it('gives up pending emails when it stops, and logs that', async () => {
  const { logger, hasLogged } = createRecordingLogger();
  const mailer = createMailer({
    ...{ smtpUrl: 'smtp://127.0.0.1:9', from: 'a@b.example', directory: tmpdir(), logger },
  });
  mailer.send(mail);
  await eventually(() => hasLogged('could not send an email; retrying'));
  await mailer.close();
  expect(hasLogged('"msg":"could not send an email"')).toBe(true);
  expect(hasLogged('ann@')).toBe(false);
});

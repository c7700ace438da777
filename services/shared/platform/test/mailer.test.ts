import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { createMailer } from '@wayquest/platform/mail';
import { createRecordingLogger, eventually } from '@wayquest/testing';

const mail = {
  to: 'ann@wayquest.example',
  subject: 'Hello 你好',
  text: 'A link: https://wayquest.example/a?b=c\n',
};

/**
 * Starts a minimal SMTP server.
 *
 * @param options - `rejections`: number of recipients that it rejects first.
 */
async function startServer({ rejections = 0 } = {}) {
  const lines: string[] = [];
  let remaining = rejections;
  const server = createServer((socket) => {
    const reply = (line: string) => socket.write(`${line}\r\n`);
    let inMail = false;
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      lines.push(line);
      if (inMail) {
        if (line === '.') {
          inMail = false;
          reply('250 accepted');
        }
      } else if (/^DATA/i.test(line)) {
        inMail = true;
        reply('354 continue');
      } else if (/^RCPT/i.test(line) && remaining-- > 0) reply('451 try again later');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else reply('250 mail.example');
    });
    reply('220 mail.example');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `smtp://127.0.0.1:${port}`, lines, stop: () => new Promise((done) => server.close(done)) };
}

it('sends an email, retries after a rejection, and logs no recipient', async () => {
  const server = await startServer({ rejections: 1 });
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

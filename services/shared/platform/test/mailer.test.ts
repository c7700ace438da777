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

/** As much of a mail server as one mail needs; it says no to the first ones. */
async function startServer({ refuses = 0 } = {}) {
  const said: string[] = [];
  let left = refuses;
  const server = createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let inMail = false;
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line);
      if (inMail) {
        if (line === '.') {
          inMail = false;
          say('250 taken');
        }
      } else if (/^DATA/i.test(line)) {
        inMail = true;
        say('354 go on');
      } else if (/^RCPT/i.test(line) && left-- > 0) say('451 not now');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else say('250 mail.example');
    });
    say('220 mail.example');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `smtp://127.0.0.1:${port}`, said, stop: () => new Promise((done) => server.close(done)) };
}

it('sends a mail, retries after a rejection, and logs no recipient', async () => {
  const server = await startServer({ refuses: 1 });
  const { logger, hasLogged: said } = createRecordingLogger();
  const mailer = createMailer({ smtpUrl: server.url, from: 'a@b.example', directory: tmpdir(), logger });
  mailer.send(mail);
  await eventually(() => server.said.includes('.'));
  await mailer.close();
  await server.stop();
  expect(server.said).toContain('RCPT TO:<ann@wayquest.example>');
  expect(server.said.join('\n')).toContain('https://wayquest.example/a?b=');
  expect(said('could not send an email; retrying')).toBe(true);
  expect(said('ann@')).toBe(false);
});

it('gives up pending mails when it stops, and logs that', async () => {
  const { logger, hasLogged: said } = createRecordingLogger();
  const mailer = createMailer({
    ...{ smtpUrl: 'smtp://127.0.0.1:9', from: 'a@b.example', directory: tmpdir(), logger },
  });
  mailer.send(mail);
  await eventually(() => said('could not send an email; retrying'));
  await mailer.close();
  expect(said('"msg":"could not send an email"')).toBe(true);
  expect(said('ann@')).toBe(false);
});

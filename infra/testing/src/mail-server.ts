import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

interface MailServerOptions {
  /** Number of recipients that it rejects first, with `rejection`. */
  rejections: number;
  rejection: string;
  /** Number of whole mails that it receives, and then says that it failed. */
  failures: number;
  /** When it answers a whole mail. */
  answered: Promise<void>;
}

export interface MailServer {
  url: string;
  /** What it received, also of mails that it rejected. */
  lines: string[];
  stop(): Promise<unknown>;
}

/** Starts a minimal SMTP server. */
export async function startMailServer({
  rejections = 0,
  rejection = '451 try again later',
  failures = 0,
  answered = Promise.resolve(),
}: Partial<MailServerOptions> = {}): Promise<MailServer> {
  const lines: string[] = [];
  let remaining = rejections;
  let remainingFailures = failures;
  const server = createServer((socket) => {
    const reply = (line: string) => socket.write(`${line}\r\n`);
    let inMail = false;
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      lines.push(line);
      if (inMail) {
        if (line === '.') {
          inMail = false;
          const answer = remainingFailures-- > 0 ? '451 local error' : '250 accepted';
          void answered.then(() => reply(answer));
        }
      } else if (/^DATA/i.test(line)) {
        inMail = true;
        reply('354 continue');
      } else if (/^RCPT/i.test(line) && remaining-- > 0) reply(rejection);
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

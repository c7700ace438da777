import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SiteLanguage, siteLanguages } from '@wayquest/contracts';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Exchange } from '../http/index.ts';
import { setByImage } from '../settings/settings.ts';
import { siteSettings } from '../settings/site.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';

/** Settings of services that send e-mails. */
export const mailSettings = siteSettings.extend({
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'must be an address like smtps://user:secret@mail.example',
    })
    .optional()
    .describe(
      'The mail server, as `smtps://user:secret@mail.example`. Without it, each mail is written to a file in `DATA_DIR/mail`.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an e-mail address, as Wayquest <wayquest@mail.example>')
    .default('wayquest@localhost')
    .describe('The sender of mails, with or without a name. Without one, its name is `SITE_NAME`.'),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ ...setByImage, description: 'The directory for files.' }),
});

export type MailLanguage = SiteLanguage;

/** Returns the language of mails caused by a call. */
export type MailLanguageOf = (exchange: Pick<Exchange, 'request'>) => MailLanguage;

/**
 * Creates the choice of a mail's language: that of the page.
 *
 * @param fallback - For a call that asks for no language, or for none that there is.
 */
export const createMailLanguageOf = (fallback: MailLanguage): MailLanguageOf => {
  const offered = [fallback, ...siteLanguages.filter((language) => language !== fallback)];
  return ({ request }) =>
    offered.find((language) => language === request.acceptsLanguages(offered)) ?? fallback;
};

/** Plain text, so that no link can show another address than its own. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Id of the account that it is about. */
  recipientId?: number;
}

/** A mail with the id that all attempts to send it share, so that a mailbox recognizes a copy. */
interface OutgoingMail extends Mail {
  messageId: string;
}

export interface Mailer {
  /** Returns immediately; a failed mail is retried for some minutes unless it was rejected for good, then logged as lost. */
  send(mail: Mail): void;
  /** Deletes the mail files about an account. */
  erase(recipientId: number): Promise<void>;
  /** Waits for mails that are being sent, for a few seconds; pending retries are attempted once more immediately. */
  close(): Promise<void>;
}

export interface MailerOptions {
  smtpUrl?: string | undefined;
  from: string;
  /** The folder for mails if there is no server. */
  directory: string;
  logger: Logger;
}

export const mailDirectoryIn = (dataDirectory: string): string => join(dataDirectory, 'mail');

/** A sender's name before their address, quoted unless it consists of words (RFC 5322, section 3.2.4). */
const named = (name: string, address: string) =>
  `${/^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;

const isAddressAlone = (sender: string) => /^[^\s<>,]+$/.test(sender);

export const mailerOptionsOf = ({
  SMTP_URL,
  MAIL_FROM,
  SITE_NAME,
  DATA_DIR,
}: z.output<typeof mailSettings>): Omit<MailerOptions, 'logger'> => ({
  smtpUrl: SMTP_URL,
  from: isAddressAlone(MAIL_FROM) ? named(SITE_NAME, MAIL_FROM) : MAIL_FROM,
  directory: mailDirectoryIn(DATA_DIR),
});

/** Delays before the retries; after the last one a mail is lost. */
const retryDelaysMs = [1_000, 10_000, 60_000, 300_000];
const connectTimeoutMs = 15_000;
/**
 * How long a server may be silent. It may take ten minutes to accept a whole mail, and who gives up before that sends copies (RFC
 * 5321, section 4.5.3.2.6).
 */
const silenceMs = 10 * 60_000;
/** How long stopping waits for mails that are being sent. */
const closeTimeoutMs = 5_000;

/** A server's message often quotes the mail and its recipient; its code does not. */
const codesOf = (error: unknown): Record<string, unknown> =>
  error instanceof Error
    ? { code: Reflect.get(error, 'code'), responseCode: Reflect.get(error, 'responseCode') }
    : {};

/** Whether the server rejected the mail for good: it must not be repeated as it is (RFC 5321, section 4.2.1). */
function isPermanent(error: unknown): boolean {
  const { responseCode } = codesOf(error);
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600;
}

/** Nobody wrote it, so nobody's autoresponder should reply (RFC 3834, section 5). */
const headers = { 'Auto-Submitted': 'auto-generated' };

/** A new id, in the domain of the sender. */
const newMessageId = (from: string): string =>
  `<${randomUUID()}@${/@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'}>`;

const toFileContent = ({ to, subject, text, messageId }: OutgoingMail, from: string) =>
  [
    ...[`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Date: ${new Date().toUTCString()}`],
    ...[`Message-ID: ${messageId}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)],
    ...['', text],
  ].join('\n');

const fileNameSuffix = (recipientId?: number) =>
  `${recipientId === undefined ? '' : `-of-${recipientId}`}.txt`;

/**
 * Creates the mailer: it sends mails by a server or, without one, writes each to a file that only its owner can read.
 */
export function createMailer({ smtpUrl, from, directory, logger }: MailerOptions): Mailer {
  const transport =
    smtpUrl === undefined
      ? undefined
      : createTransport({
          url: smtpUrl,
          connectionTimeout: connectTimeoutMs,
          greetingTimeout: connectTimeoutMs,
          socketTimeout: silenceMs,
        });
  // Series that start at 0: otherwise an alert on their increase would miss the first failure.
  for (const outcome of ['sent', 'written', 'failed']) metrics.emails.inc({ outcome }, 0);
  const closing = new AbortController();
  const pending = new Set<Promise<void>>();

  const write = async (mail: OutgoingMail) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const date = new Date().toISOString().replaceAll(':', '.');
    const path = join(directory, `${date}-${randomUUID()}${fileNameSuffix(mail.recipientId)}`);
    await writeFile(path, toFileContent(mail, from), { mode: 0o600 });
    metrics.emails.inc({ outcome: 'written' });
    logger.warn({ mail: path }, 'wrote an email to a file, because SMTP_URL is not set');
  };

  const deliver = async (mail: OutgoingMail, delaysMs = retryDelaysMs): Promise<void> => {
    try {
      if (!transport) return await write(mail);
      const { recipientId: _, ...sent } = mail;
      await transport.sendMail({ from, headers, ...sent });
      metrics.emails.inc({ outcome: 'sent' });
    } catch (error) {
      const isLast = closing.signal.aborted || isPermanent(error);
      const [delayMs, ...remainingDelays] = isLast ? [] : delaysMs;
      if (delayMs === undefined) {
        metrics.emails.inc({ outcome: 'failed' });
        logger.error(codesOf(error), 'could not send an email');
        return;
      }
      logger.warn({ ...codesOf(error), retryInMs: delayMs }, 'could not send an email; retrying');
      // When the service stops, a pending retry is the last attempt.
      await sleep(delayMs, undefined, { signal: closing.signal }).catch(() => {});
      await deliver(mail, remainingDelays);
    }
  };

  return {
    send(mail) {
      const outgoing = { ...mail, messageId: newMessageId(from) };
      const delivery = deliver(outgoing).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    async erase(recipientId) {
      const names = transport ? [] : await readdir(directory).catch(() => []);
      const ownFiles = names.filter((name) => name.endsWith(fileNameSuffix(recipientId)));
      await Promise.all(ownFiles.map((name) => rm(join(directory, name), { force: true })));
    },
    async close() {
      closing.abort();
      const isSent = Promise.all(pending).then(() => true);
      if (!(await Promise.race([isSent, sleep(closeTimeoutMs, false, { ref: false })])))
        logger.warn({ mails: pending.size }, 'stopped before a mail server had accepted all emails');
      transport?.close();
    },
  };
}

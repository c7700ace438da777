import { mailDirectoryIn } from '@wayquest/platform/mail';
import { runUntilSignal, settingsOrExit } from '@wayquest/platform/process';
import { NewerStoreError } from '@wayquest/platform/store';
import { createLogger, keepSecurityEvents } from '@wayquest/platform/telemetry';
import { createAllInOne } from './all-in-one.ts';
import { type AllInOneSettings, allInOneSettings } from './settings.ts';
import { DataFolderError } from './store.ts';

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Returns a sentence for a failed start, if its cause is something that the person can change. */
function sentenceFor(error: unknown, { PORT, DATA_DIR }: AllInOneSettings): string | undefined {
  const code = codeOf(error);
  if (error instanceof DataFolderError || error instanceof NewerStoreError) return error.message;
  if (code === 'ENAMETOOLONG') return `The path ${DATA_DIR} is too long. Set DATA_DIR to a shorter one.`;
  if (code === 'EADDRINUSE') return `Port ${PORT} is in use. Set PORT to another one, such as ${PORT + 1}.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `${DATA_DIR} cannot be written to, or port ${PORT} not be listened on. Set DATA_DIR or PORT to others.`;
  }
  if (error instanceof Error && error.message.includes('in use by process')) {
    return `${error.message}. Stop that one first, or set DATA_DIR to another folder.`;
  }
  return undefined;
}

const settings = settingsOrExit(allInOneSettings);
const logger = createLogger({ name: 'wayquest', level: settings.LOG_LEVEL });
keepSecurityEvents(settings.SECURITY_LOG_DIR, 'wayquest');
const wayquest = createAllInOne(settings, logger);

await runUntilSignal(logger, {
  async start() {
    try {
      await wayquest.start();
    } catch (error) {
      const sentence = sentenceFor(error, settings);
      if (!sentence) throw error;
      process.stderr.write(`${sentence}\n`);
      process.exit(1);
    }
    process.stdout.write(
      `Wayquest is at ${wayquest.url()} (Ctrl-C stops it; its data is in ${settings.DATA_DIR})\n`,
    );
    if (!settings.SMTP_URL)
      process.stdout.write(
        `Mails are stored as files in ${mailDirectoryIn(settings.DATA_DIR)} (set SMTP_URL to send them)\n`,
      );
    wayquest.welcome();
  },
  stop: wayquest.stop,
});

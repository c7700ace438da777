import { mailDirectoryIn } from '@wayquest/platform/mail';
import { runUntilSignal, settingsOrExit } from '@wayquest/platform/process';
import { createLogger } from '@wayquest/platform/telemetry';
import { createAllInOne } from './all-in-one.ts';
import { sentenceFor } from './failures.ts';
import { allInOneSettings } from './settings.ts';

const settings = settingsOrExit(allInOneSettings);
const logger = createLogger({ name: 'wayquest', level: settings.LOG_LEVEL });
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
        `Mails become files in ${mailDirectoryIn(settings.DATA_DIR)} (SMTP_URL sends them instead)\n`,
      );
    wayquest.welcome();
  },
  stop: wayquest.stop,
});

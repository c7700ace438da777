import { createLogger, settingsOrExit } from '@wayquest/platform';
import { z } from 'zod';
import { storeIn } from './admin-store.ts';
import { setAdmin } from './set-admin.ts';

const usage = `npm run admin -- grant <username>     gives somebody the rights of an admin
npm run admin -- revoke <username>    takes them
`;

function fail(sentence: string, code = 1): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

const [action, username, ...more] = process.argv.slice(2);
if ((action !== 'grant' && action !== 'revoke') || !username || more.length) fail(usage, 2);

const settings = settingsOrExit(
  z.object({
    MONGO_URL: z.string().startsWith('mongodb', 'must be a mongodb:// address').optional(),
    DATA_DIR: z.string().default('.data'),
  }),
);
const logger = createLogger({ name: 'admin', level: 'error' });
const admin = action === 'grant';

try {
  const store = settings.MONGO_URL
    ? { url: settings.MONGO_URL, stop: async () => {} }
    : await storeIn(settings.DATA_DIR);
  try {
    const found = await setAdmin({
      mongoUrl: store.url,
      databasePrefix: 'wayquest',
      logger,
      username,
      admin,
    });
    if (!found) throw new Error(`There is nobody named ${username}.`);
    const now = admin ? 'is an admin now' : 'is no admin any more';
    process.stdout.write(`${found} ${now}. It counts from the next login.\n`);
  } finally {
    await store.stop();
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

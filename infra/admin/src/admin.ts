import { setAdmin } from '@wayquest/auth';
import { createLogger } from '@wayquest/platform/telemetry';
import { fail, runCommand, say } from './command.ts';
import { storeIn } from './store.ts';

const usage = `npm run admin -- grant <username>     gives somebody the rights of an admin
npm run admin -- revoke <username>    takes them
`;

const [action, username, ...more] = process.argv.slice(2);
if ((action !== 'grant' && action !== 'revoke') || !username || more.length) fail(usage, 2);

const logger = createLogger({ name: 'admin', level: 'silent' });
const admin = action === 'grant';

await runCommand(async ({ MONGO_URL, DATA_DIR, INSTALLATION }) => {
  const store = MONGO_URL ? { url: MONGO_URL, stop: async () => {} } : await storeIn(DATA_DIR);
  try {
    const mongoUrl = store.url;
    const found = await setAdmin({ mongoUrl, databasePrefix: INSTALLATION, logger, username, admin });
    if (!found) throw new Error(`There is nobody named ${username}.`);
    say(`${found} ${admin ? 'is an admin now' : 'is no admin any more'}. It counts from the next login.`);
  } finally {
    await store.stop();
  }
});

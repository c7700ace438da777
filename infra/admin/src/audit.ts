import { checkAudit } from '@wayquest/moderation';
import { createLogger } from '@wayquest/platform/telemetry';
import { type AdminSettings, say } from './command.ts';
import { onStore } from './store.ts';

/** Verifies the hash chain of the audit log. Throws a sentence if it is broken. */
export async function followAudit(settings: AdminSettings): Promise<void> {
  const logger = createLogger({ name: 'admin', level: 'silent' });
  const { chained, older, last, broken } = await onStore(settings, (mongoUrl) =>
    checkAudit({ mongoUrl, databasePrefix: settings.INSTALLATION, logger }),
  );
  if (broken.length) throw new Error(broken.join('\n'));
  const before = older ? ` ${older} before them are of versions that did not chain them.` : '';
  say(`${chained} lines are as they were written, the newest ${last ?? 'is none'}.${before}`);
}

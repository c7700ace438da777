import { type AccountReference, endSessionsOf, sessionsOf, setAdmin } from '@wayquest/auth';
import { createLogger } from '@wayquest/platform/telemetry';
import { type AdminSettings, printLine } from './command.ts';
import { onStore } from './store.ts';

/** Reads a user's data in auth's store. Throws a sentence if nobody has the username. */
async function ask<T>(
  settings: AdminSettings,
  username: string,
  question: (somebody: AccountReference) => Promise<T | undefined>,
): Promise<T> {
  const logger = createLogger({ name: 'admin', level: 'silent' });
  const answer = await onStore(settings, (mongoUrl) =>
    question({ mongoUrl, databasePrefix: settings.INSTALLATION, logger, username }),
  );
  if (answer === undefined) throw new Error(`There is nobody named ${username}.`);
  return answer;
}

export async function changeRights(settings: AdminSettings, username: string, admin: boolean): Promise<void> {
  const found = await ask(settings, username, (somebody) => setAdmin({ ...somebody, admin }));
  printLine(`${found} ${admin ? 'is an admin now' : 'is no admin any more'}. It counts from the next login.`);
}

export async function listSessions(settings: AdminSettings, username: string): Promise<void> {
  const sessions = await ask(settings, username, sessionsOf);
  for (const { since, browser, system } of sessions)
    printLine(`${since}  ${[browser, system].filter(Boolean).join(', ') || 'does not say what it is'}`);
  printLine(`${sessions.length} open`);
}

export async function endSessions(settings: AdminSettings, username: string): Promise<void> {
  const found = await ask(settings, username, endSessionsOf);
  printLine(`${found} is logged out everywhere.`);
}

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  approveAccount,
  declineAccount,
  endSessionsOf,
  passwordLinkOf,
  sessionsOf,
  setAdmin,
} from '@wayquest/auth';
import type { ServiceName } from '@wayquest/contracts';
import { checkAudit } from '@wayquest/moderation';
import {
  type DeadLetter,
  type DeadLetters,
  deadLettersInStore,
  deadLettersOnRabbitMq,
} from '@wayquest/platform/bus';
import { requestReplicaRebuild } from '@wayquest/platform/service';
import { connectOrFail, fileReloadIntervalMs, keyFilesIn } from '@wayquest/platform/settings';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { backUp, restore } from './backup.ts';
import { type AdminSettings, fail, printLine, runCommand, serviceNamed } from './command.ts';
import {
  addAccount,
  invitationOf,
  invite,
  listAccounts,
  listInvitations,
  printPasswordLink,
  removeInvitation,
} from './registration.ts';
import { countWaiting, onAccount, onServiceStore, onStore } from './store.ts';
import { endSuspensionOf, suspend, suspensionOf } from './suspensions.ts';
import { type KeyFiles, retireKeys, rotateKeys } from './token-keys.ts';

/** Uses the broker of AMQP_URL, otherwise the store of the all-in-one process. */
async function withDeadLetters(
  settings: AdminSettings,
  use: (letters: DeadLetters) => Promise<DeadLetter[]>,
): Promise<DeadLetter[]> {
  const { AMQP_URL, INSTALLATION } = settings;
  if (AMQP_URL)
    return connectOrFail('AMQP_URL', use(deadLettersOnRabbitMq({ url: AMQP_URL, prefix: INSTALLATION })));
  return onStore(settings, async (url) => {
    const logger = createLogger({ name: 'admin', level: 'silent' });
    const connection = await connectMongo({ url, database: 'wayquest_bus', logger });
    try {
      return await use(deadLettersInStore(connection));
    } finally {
      await connection.close();
    }
  });
}

/** Lists or replays a service's dead letters. */
async function handleDeadLetters(
  settings: AdminSettings,
  action: 'list' | 'replay',
  service: ServiceName,
): Promise<void> {
  const letters = await withDeadLetters(settings, (dead) => dead[action](service));
  for (const { occurredAt, event, id, reason } of letters)
    printLine(`${occurredAt}  ${event}  ${id}  ${reason}`);
  printLine(`${letters.length} ${action === 'list' ? 'dead' : 'sent again'}`);
}

async function changeRights(settings: AdminSettings, username: string, admin: boolean): Promise<void> {
  const found = await onAccount(settings, username, (somebody) => setAdmin({ ...somebody, admin }));
  printLine(`${found} ${admin ? 'is an admin now' : 'is no admin any more'}. It counts from the next login.`);
}

async function approve(settings: AdminSettings, username: string): Promise<void> {
  const found = await onAccount(settings, username, approveAccount);
  printLine(`${found} is approved, and can log in. No mail says so: tell them.`);
}

async function decline(settings: AdminSettings, username: string): Promise<void> {
  const found = await onAccount(settings, username, declineAccount);
  printLine(`${found} is declined, and the account is deleted. Anybody can have the username now.`);
}

async function listSessions(settings: AdminSettings, username: string): Promise<void> {
  const sessions = await onAccount(settings, username, sessionsOf);
  for (const { since, browser, system } of sessions)
    printLine(`${since}  ${[browser, system].filter(Boolean).join(', ') || 'does not say what it is'}`);
  printLine(`${sessions.length} open`);
}

async function endSessions(settings: AdminSettings, username: string): Promise<void> {
  const found = await onAccount(settings, username, endSessionsOf);
  printLine(`${found} is logged out everywhere.`);
}

async function makePasswordLink(settings: AdminSettings, username: string): Promise<void> {
  printPasswordLink(settings, await onAccount(settings, username, passwordLinkOf));
}

const usage = `npm run admin -- grant <username>      grants admin rights
npm run admin -- revoke <username>     takes them
npm run admin -- sessions <username>   shows since when and on what somebody is logged in
npm run admin -- end-sessions <username>
                                       logs them out everywhere
npm run admin -- accounts [text]       lists accounts, or those whose username contains a text
npm run admin -- approve <username>    approves an account that waits for it
npm run admin -- decline <username>    declines it, which deletes the account
npm run admin -- suspend <username> [--days <number>] [--note <text>]
                                       suspends somebody: for 7 days, unless it says more; admins can read the note
npm run admin -- end-suspension <username>
                                       ends it
npm run admin -- create-account <username>
                                       makes an account, whoever can sign up, and prints a link that sets its password
npm run admin -- password-link <username>
                                       prints a link that sets somebody's password
npm run admin -- invite [--uses <number>] [--days <number>] [--note <text>]
                                       prints a link with an invitation to sign up: once and within 7 days, unless it says more
npm run admin -- invitations           lists the invitations that have not expired
npm run admin -- revoke-invitation <id>
                                       makes one invalid
npm run admin -- outbox                shows how many events of each service wait to be sent, and since when
npm run admin -- dead-letters list|replay <service>
                                       shows the events that a service could not handle, or sends them to it again;
                                       with AMQP_URL those of that broker
npm run admin -- replicas <service>    lets the other services tell one again what it keeps of theirs
npm run admin -- audit                 follows the chain of the log of what admins decided, and says what was changed in it
npm run admin -- backup <folder>       writes all stores into an empty folder
npm run admin -- restore <folder> [--replace]
                                       writes them from there into an empty store, or deletes first what is in it; while
                                       no service runs
npm run admin -- rotate-keys           makes a new key that signs tokens; those of the key before stay good
npm run admin -- retire-keys [now]     takes out keys whose tokens have all run out, or at once
`;

/** The key files of the services' settings, otherwise those of the all-in-one process. */
function keyFiles({ JWT_PRIVATE_KEY_FILE, JWT_PUBLIC_KEY_FILE, DATA_DIR }: AdminSettings): KeyFiles {
  const files =
    JWT_PRIVATE_KEY_FILE && JWT_PUBLIC_KEY_FILE
      ? { privateFile: JWT_PRIVATE_KEY_FILE, publicFile: JWT_PUBLIC_KEY_FILE }
      : keyFilesIn(DATA_DIR);
  const missing = Object.values(files).find((file) => !existsSync(file));
  if (missing) throw new Error(`There is no ${missing}. Start Wayquest first, or set DATA_DIR.`);
  return files;
}

/** Verifies the hash chain of the audit log. Throws a sentence if it is broken. */
async function verifyAuditLog(settings: AdminSettings): Promise<void> {
  const {
    verified,
    older: unverified,
    last: lastHash,
    violations,
  } = await onServiceStore(settings, checkAudit);
  if (violations.length) throw new Error(violations.join('\n'));
  const before = unverified ? ` ${unverified} before them are of versions that did not chain them.` : '';
  printLine(`${verified} lines are as they were written, the newest ${lastHash ?? 'is none'}.${before}`);
}

/** Requests snapshots of all other services for a service's replicas. */
async function rebuildReplicas(settings: AdminSettings, service: ServiceName): Promise<void> {
  await onStore(settings, async (url) => {
    const logger = createLogger({ name: 'admin', level: 'silent' });
    const database = `${settings.INSTALLATION}_${service}`;
    const connection = await connectMongo({ url, database, logger });
    try {
      await requestReplicaRebuild(connection, service);
    } finally {
      await connection.close();
    }
  });
  printLine(`The other services will send ${service} their data again.`);
}

const [action, ...given] = process.argv.slice(2);
const [argument, option, ...more] = given;
if (action === 'invite') {
  const invitation = invitationOf(given) ?? fail(usage, 2);
  await runCommand((settings) => invite(settings, invitation));
} else if (action === 'suspend') {
  const suspension = suspensionOf(given) ?? fail(usage, 2);
  await runCommand((settings) => suspend(settings, suspension));
} else if (more.length || (option && action !== 'dead-letters' && action !== 'restore')) {
  fail(usage, 2);
} else if ((action === 'grant' || action === 'revoke') && argument) {
  await runCommand((settings) => changeRights(settings, argument, action === 'grant'));
} else if (action === 'sessions' && argument) {
  await runCommand((settings) => listSessions(settings, argument));
} else if (action === 'end-sessions' && argument) {
  await runCommand((settings) => endSessions(settings, argument));
} else if (action === 'accounts') {
  await runCommand((settings) => listAccounts(settings, argument));
} else if (action === 'approve' && argument) {
  await runCommand((settings) => approve(settings, argument));
} else if (action === 'decline' && argument) {
  await runCommand((settings) => decline(settings, argument));
} else if (action === 'end-suspension' && argument) {
  await runCommand((settings) => endSuspensionOf(settings, argument));
} else if (action === 'create-account' && argument) {
  await runCommand((settings) => addAccount(settings, argument));
} else if (action === 'password-link' && argument) {
  await runCommand((settings) => makePasswordLink(settings, argument));
} else if (action === 'invitations' && !argument) {
  await runCommand(listInvitations);
} else if (action === 'revoke-invitation' && argument) {
  await runCommand((settings) => removeInvitation(settings, argument));
} else if (action === 'outbox' && !argument) {
  await runCommand(async (settings) => {
    const { INSTALLATION: installation } = settings;
    const all = await onStore(settings, (url) => countWaiting({ url, installation }));
    for (const { service, count, since = '-' } of all) printLine(`${service}  ${count}  ${since}`);
  });
} else if (action === 'dead-letters' && (argument === 'list' || argument === 'replay') && option) {
  const serviceName = serviceNamed(option);
  await runCommand((settings) => handleDeadLetters(settings, argument, serviceName));
} else if (action === 'replicas' && argument) {
  const serviceName = serviceNamed(argument);
  await runCommand((settings) => rebuildReplicas(settings, serviceName));
} else if (action === 'audit' && !argument) {
  await runCommand(verifyAuditLog);
} else if (action === 'rotate-keys' && !argument) {
  await runCommand(async (settings) => {
    await rotateKeys(keyFiles(settings), () => {
      printLine('The services are loading the new public key …');
      return setTimeout(2 * fileReloadIntervalMs);
    });
    printLine(
      'New tokens are signed with the new key. Tokens of the previous key stay valid until they expire.',
    );
  });
} else if (action === 'retire-keys' && (!argument || argument === 'now')) {
  await runCommand(async (settings) => {
    const retired = retireKeys(keyFiles(settings), { now: argument === 'now' });
    printLine(`${retired} ${retired === 1 ? 'key was' : 'keys were'} taken out.`);
  });
} else if (action === 'backup' && argument) {
  await runCommand(async (settings) => {
    const { INSTALLATION: installation, AMQP_URL: amqpUrl } = settings;
    const total = await onStore(settings, (url) => backUp({ url, installation, amqpUrl, folder: argument }));
    printLine(
      `${total} documents are in ${argument}. Keep the keys of tokens with them: they are not in it.`,
    );
  });
} else if (action === 'restore' && argument && (!option || option === '--replace')) {
  await runCommand(async (settings) => {
    const { MONGO_URL, DATA_DIR, INSTALLATION: installation } = settings;
    // An installation that was never started has no store yet.
    if (!MONGO_URL) mkdirSync(join(DATA_DIR, 'store'), { recursive: true, mode: 0o700 });
    const { total, takenAt } = await onStore(settings, (url) =>
      restore({ url, installation, folder: argument, replace: option === '--replace' }),
    );
    printLine(`${total} documents are as they were at ${takenAt}. Wayquest can be started.`);
  });
} else fail(usage, 2);

import { operations } from '@wayquest/contracts';
import type { Caller, Exchange, HttpApp } from '@wayquest/platform/http';
import { type Logger, tellSecurity } from '@wayquest/platform/telemetry';
import type { Accounts } from './accounts.ts';
import type { BindingCookie } from './binding-cookie.ts';
import { type MailLanguage, type Mails, mailLanguages } from './mails.ts';
import type { Claim, Owners } from './owners.ts';
import type { Recovery } from './recovery.ts';
import type { Sessions, Visitor } from './sessions.ts';

/** HTTP → operations. */
export interface AccountOperations {
  logger: Logger;
  accounts: Accounts;
  sessions: Sessions;
  owners: Owners;
  recovery: Recovery;
  mails: Mails;
  /** What login codes are bound to. */
  binding: BindingCookie;
}

const visitorOf = (address: string, { request }: Exchange): Visitor => ({
  address,
  userAgent: request.get('user-agent'),
});

const claimOf = (
  { caller, address }: { caller: Caller; address: string },
  currentPassword: string | undefined,
): Claim => ({ claims: caller.claims, address, currentPassword });

/** What mails that come of a call are written in. */
const languageOf = ({ request }: Exchange): MailLanguage =>
  mailLanguages.find((language) => language === request.acceptsLanguages([...mailLanguages])) ?? 'en';

export function accountRoutes(
  http: HttpApp,
  { logger, accounts, sessions, owners, recovery, mails, binding }: AccountOperations,
): void {
  http.serve(operations.signup, ({ body, address }, exchange) =>
    sessions.signup(body, visitorOf(address, exchange)),
  );
  http.serve(operations.login, ({ body, address }, exchange) =>
    sessions.login(body, visitorOf(address, exchange)),
  );
  http.serve(operations.logout, async ({ caller }) => {
    await sessions.logout(caller.claims);
    return undefined;
  });
  http.serve(operations.listSessions, ({ caller }) => sessions.list(caller.claims));
  http.serveOwned(operations.endSession, {
    find: ({ params }) => sessions.find(params.id),
    owners: ({ userId }) => [userId],
    answer: async (_, session) => {
      await sessions.end(session);
      return undefined;
    },
  });
  http.serve(operations.endSessions, async ({ caller }) => {
    await sessions.endAll(caller.id);
    return undefined;
  });
  http.serve(operations.changePassword, (given, exchange) => {
    const { currentPassword, newPassword } = given.body;
    const visitor = visitorOf(given.address, exchange);
    return sessions.changePassword(
      claimOf(given, currentPassword),
      newPassword,
      visitor,
      languageOf(exchange),
    );
  });
  http.serve(operations.changeUsername, async (given, exchange) => {
    const { username: before, email } = await owners.require(claimOf(given, given.body.currentPassword));
    const { _id, username, version, changedAt } = await accounts.rename(given.caller.id, given.body.username);
    tellSecurity(logger, { event: 'username-changed', service: 'auth', userId: _id });
    if (email && username !== before)
      mails.usernameChanged({ to: email, username, language: languageOf(exchange) }, before);
    return { id: _id, username, version, changedAt: changedAt.toISOString() };
  });
  http.serve(operations.getAccount, async ({ caller }) => {
    const account = await accounts.findById(caller.id);
    return { email: account?.email ?? '', hasPassword: !!account?.passwordHash };
  });
  http.serve(operations.changeEmail, async (given, exchange) => {
    const { email, currentPassword } = given.body;
    await recovery.changeEmail(email, claimOf(given, currentPassword), languageOf(exchange));
    return undefined;
  });
  http.serve(operations.confirmEmail, async ({ body, address }, exchange) => {
    await recovery.confirmEmail(body.token, { address, language: languageOf(exchange) });
    return undefined;
  });
  http.serve(operations.forgotPassword, async ({ body, address }, exchange) => {
    await recovery.forgot(body.email, { address, language: languageOf(exchange) });
    return undefined;
  });
  http.serve(operations.resetPassword, async ({ body, address }, exchange) => {
    await recovery.reset(body, { address, language: languageOf(exchange) });
    return undefined;
  });
  http.serve(operations.exchangeLoginCode, ({ body, address }, exchange) => {
    const bound = binding.take(exchange.request, exchange.response);
    return sessions.swapCode({ code: body.code, binding: bound?.binding }, visitorOf(address, exchange));
  });
}

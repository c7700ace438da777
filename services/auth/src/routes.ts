import { operations } from '@wayquest/contracts';
import type { HttpApp } from '@wayquest/platform/http';
import type { MailLanguageOf } from '@wayquest/platform/mail';
import type { RateLimiter } from '@wayquest/platform/redis';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Request } from 'express';
import type { Accounts } from './accounts.ts';
import { clientInfoOf, originOf, ownershipProofOf, setAppealCookie } from './callers.ts';
import type { AppealCookie, BindingCookie } from './cookies.ts';
import type { Deletions } from './deletions.ts';
import type { GoogleConfig } from './google-strategy.ts';
import type { PasswordPolicy } from './login-methods.ts';
import type { Mails } from './mails.ts';
import type { OpenIdConfig } from './openid-provider.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { Recovery } from './recovery.ts';
import type { Registration } from './registration.ts';
import type { Sessions } from './sessions.ts';

/** The operations that the routes of accounts call. */
export interface AccountOperations {
  logger: Logger;
  accounts: Accounts;
  registration: Pick<Registration, 'mode'>;
  passwordPolicy: PasswordPolicy;
  sessions: Sessions;
  reauthentication: Reauthentication;
  recovery: Recovery;
  deletions: Deletions;
  mails: Mails;
  /** Counts changes of usernames. */
  usernameLimiter: RateLimiter;
  /** Binds login codes to a browser. */
  binding: BindingCookie;
  appeals: AppealCookie;
  publicUrl: string | undefined;
  google: GoogleConfig | undefined;
  openId: OpenIdConfig | undefined;
  mailLanguageOf: MailLanguageOf;
}

export function accountRoutes(http: HttpApp, deps: AccountOperations): void {
  const { logger, accounts, sessions, reauthentication, recovery, deletions, mails, mailLanguageOf } = deps;
  const { binding, appeals, publicUrl, google, openId, usernameLimiter, registration, passwordPolicy } = deps;
  /** Sign-in at another site needs an address that it can redirect to. */
  const statusOf = (identity: string | null | undefined, config: object | undefined, request: Request) => {
    if (identity) return 'linked' as const;
    const isAvailable = config && originOf(request, publicUrl) !== undefined;
    return isAvailable ? ('not-linked' as const) : ('not-configured' as const);
  };
  http.serve(operations.getRegistration, async (_, { request }) => ({
    registration: registration.mode,
    openId:
      openId && originOf(request, publicUrl) !== undefined
        ? { signUp: openId.signUp, ...(openId.name && { name: openId.name }) }
        : null,
    passwordLogin: passwordPolicy.mode,
  }));
  http.serve(operations.signup, ({ body, address, idempotency }, exchange) =>
    sessions.signup(body, {
      visitor: clientInfoOf(address, exchange),
      language: mailLanguageOf(exchange),
      idempotency,
    }),
  );
  http.serve(operations.login, ({ body, address }, exchange) =>
    sessions.login(body, clientInfoOf(address, exchange)),
  );
  http.serve(operations.appealSuspension, async ({ body, address }, exchange) => {
    const { username, password = '', comment } = body;
    const visitor = clientInfoOf(address, exchange);
    if (username !== undefined) await sessions.appeal({ username, password, comment }, visitor);
    else
      await sessions.appealWithCode(
        appeals.consume(exchange.request, exchange.response)?.code,
        comment,
        visitor,
      );
    return undefined;
  });
  http.serve(operations.logout, async ({ caller }) => {
    await sessions.logout(caller.claims);
    return undefined;
  });
  http.serve(operations.listSessions, ({ caller }) => sessions.list(caller.claims));
  http.serveOwned(operations.endSession, {
    find: ({ params }) => sessions.find(params.id),
    owners: ({ userId }) => [userId],
    handle: async (_, session) => {
      await sessions.end(session);
      return undefined;
    },
  });
  http.serve(operations.endSessions, async ({ caller }) => {
    await sessions.endAll(caller.id);
    return undefined;
  });
  http.serve(operations.changePassword, (request, exchange) => {
    const { currentPassword, newPassword } = request.body;
    const visitor = clientInfoOf(request.address, exchange);
    return sessions.changePassword(
      ownershipProofOf(request, currentPassword),
      newPassword,
      visitor,
      mailLanguageOf(exchange),
    );
  });
  http.serve(operations.changeUsername, async (request, exchange) => {
    const { username: previousUsername, email } = await reauthentication.requireRecentAuth(
      ownershipProofOf(request, request.body.currentPassword),
    );
    const { id } = request.caller;
    const isChange = request.body.username !== previousUsername;
    if (isChange) await usernameLimiter.count(String(id));
    const { username, version, changedAt } = await accounts
      .rename(id, request.body.username)
      .catch(async (error: unknown) => {
        // Only changes count, not usernames that are taken.
        if (isChange) await usernameLimiter.refund(String(id));
        throw error;
      });
    if (isChange) logSecurityEvent(logger, { event: 'username-changed', service: 'auth', userId: id });
    if (email && isChange)
      mails.usernameChanged(
        { id, to: email, username, language: mailLanguageOf(exchange) },
        previousUsername,
      );
    return { id, username, version, changedAt: changedAt.toISOString() };
  });
  http.serve(operations.getAccount, async ({ caller }, { request }) => {
    const account = await accounts.findById(caller.id);
    return {
      email: account?.email ?? '',
      hasPassword: !!account && passwordPolicy.hasPassword(account),
      deletionGraceDays: deletions.graceDays,
      google: statusOf(account?.googleId, google, request),
      openId: statusOf(account?.openId, openId, request),
    };
  });
  http.serve(operations.deleteAccount, (request, exchange) =>
    deletions.request(ownershipProofOf(request, request.body.currentPassword), mailLanguageOf(exchange)),
  );
  http.serve(operations.changeEmail, async (request, exchange) => {
    const { email, currentPassword } = request.body;
    await recovery.changeEmail(email, ownershipProofOf(request, currentPassword), mailLanguageOf(exchange));
    return undefined;
  });
  http.serve(operations.confirmEmail, async ({ body, address }, exchange) => {
    await recovery.confirmEmail(body.token, { address, language: mailLanguageOf(exchange) });
    return undefined;
  });
  http.serve(operations.forgotPassword, async ({ body, address }, exchange) => {
    await recovery.requestReset(body.email, { address, language: mailLanguageOf(exchange) });
    return undefined;
  });
  http.serve(operations.getResetLink, ({ body, address }) => recovery.findReset(body.token, address));
  http.serve(operations.resetPassword, async ({ body, address }, exchange) => {
    await recovery.reset(body, { address, language: mailLanguageOf(exchange) });
    return undefined;
  });
  http.serve(operations.exchangeLoginCode, ({ body, address }, exchange) => {
    const bound = binding.consume(exchange.request, exchange.response);
    return sessions.exchangeCode(
      { code: body.code, binding: bound?.binding },
      clientInfoOf(address, exchange),
      setAppealCookie(appeals, exchange, publicUrl),
    );
  });
}

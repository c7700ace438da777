import { operations } from '@wayquest/contracts';
import type { HttpApp } from '@wayquest/platform/http';
import { type Logger, tellSecurity } from '@wayquest/platform/telemetry';
import type { Accounts } from './accounts.ts';
import type { BindingCookie } from './binding-cookie.ts';
import type { Sessions } from './sessions.ts';

/** HTTP → operations. */
export interface AccountOperations {
  logger: Logger;
  accounts: Accounts;
  sessions: Sessions;
  /** What login codes are bound to. */
  binding: BindingCookie;
}

export function accountRoutes(
  http: HttpApp,
  { logger, accounts, sessions, binding }: AccountOperations,
): void {
  http.serve(operations.signup, ({ body, address }) => sessions.signup(body, address));
  http.serve(operations.login, ({ body, address }) => sessions.login(body, address));
  http.serve(operations.logout, async ({ caller }) => {
    await sessions.logout(caller.claims);
    return undefined;
  });
  http.serve(operations.changePassword, ({ caller, address, body }) =>
    sessions.changePassword({ id: caller.id, address }, body),
  );
  http.serve(operations.changeUsername, async ({ caller, body }) => {
    const { _id, username, version, changedAt } = await accounts.rename(caller.id, body.username);
    tellSecurity(logger, { event: 'username-changed', service: 'auth', userId: caller.id });
    return { id: _id, username, version, changedAt: changedAt.toISOString() };
  });
  http.serve(operations.exchangeLoginCode, ({ body, address }, { request, response }) =>
    sessions.swapCode({ code: body.code, binding: binding.take(request, response)?.binding }, address),
  );
}

import { operations } from '@wayquest/contracts';
import type { Exchange, HttpApp } from '@wayquest/platform/http';
import { type Logger, tellSecurity } from '@wayquest/platform/telemetry';
import type { Accounts } from './accounts.ts';
import type { BindingCookie } from './binding-cookie.ts';
import type { Sessions, Visitor } from './sessions.ts';

/** HTTP → operations. */
export interface AccountOperations {
  logger: Logger;
  accounts: Accounts;
  sessions: Sessions;
  /** What login codes are bound to. */
  binding: BindingCookie;
}

const visitorOf = (address: string, { request }: Exchange): Visitor => ({
  address,
  userAgent: request.get('user-agent'),
});

export function accountRoutes(
  http: HttpApp,
  { logger, accounts, sessions, binding }: AccountOperations,
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
  http.serve(operations.changePassword, ({ caller, address, body }, exchange) =>
    sessions.changePassword({ id: caller.id, visitor: visitorOf(address, exchange) }, body),
  );
  http.serve(operations.changeUsername, async ({ caller, body }) => {
    const { _id, username, version, changedAt } = await accounts.rename(caller.id, body.username);
    tellSecurity(logger, { event: 'username-changed', service: 'auth', userId: caller.id });
    return { id: _id, username, version, changedAt: changedAt.toISOString() };
  });
  http.serve(operations.exchangeLoginCode, ({ body, address }, exchange) => {
    const bound = binding.take(exchange.request, exchange.response);
    return sessions.swapCode({ code: body.code, binding: bound?.binding }, visitorOf(address, exchange));
  });
}

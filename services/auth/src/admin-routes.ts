import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import type { MailLanguageOf } from '@wayquest/platform/mail';
import { type Invitations, toSummary } from './invitations.ts';
import { cursorAfter, defaultLimit, type ManagedAccounts } from './managed-accounts.ts';

export interface AdminOperations {
  managed: ManagedAccounts;
  invitations: Invitations;
  mailLanguageOf: MailLanguageOf;
}

/** The calls of admins, about accounts and invitations. Each change is logged as a security event by the HTTP app. */
export function adminRoutes(http: HttpApp, { managed, invitations, mailLanguageOf }: AdminOperations): void {
  http.serve(operations.listAccounts, async ({ query }) => {
    const found = await managed.list(query);
    const page = { operation: operations.listAccounts, query, limit: query.limit ?? defaultLimit };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, cursorAfter) });
  });
  http.serve(operations.createAccount, ({ body, idempotency }, exchange) =>
    managed.create(body, { language: mailLanguageOf(exchange), idempotency }),
  );
  http.serve(operations.approveAccount, ({ params }) => managed.approve(params.id));
  http.serve(operations.declineAccount, async ({ params }) => {
    await managed.decline(params.id);
    return undefined;
  });
  http.serve(operations.createPasswordLink, ({ params, caller }, exchange) =>
    managed.createPasswordLink(params.id, mailLanguageOf(exchange), caller.id),
  );
  http.serve(operations.changeRights, ({ params, body, caller }) =>
    managed.changeRights(params.id, body.admin, caller.id),
  );
  http.serve(operations.listInvitations, async () => (await invitations.list()).map(toSummary));
  http.serve(operations.createInvitation, async ({ body, idempotency }) => {
    const { code, ...created } = await invitations.create(body, idempotency?.key);
    return { ...toSummary(created), code };
  });
  http.serve(operations.revokeInvitation, async ({ params }) => {
    await invitations.revoke(params.id);
    return undefined;
  });
}

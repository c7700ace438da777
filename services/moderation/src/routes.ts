import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import type { MailLanguageOf } from '@wayquest/platform/mail';
import { cursorAfter, defaultLimit as defaultAuditLines } from './audit.ts';
import { type Cases, queueCursor } from './cases.ts';
import type { ReportOperations } from './reports.ts';
import type { Views } from './views.ts';

interface RouteDeps {
  reports: ReportOperations;
  cases: Cases;
  views: Views;
  mailLanguageOf: MailLanguageOf;
}

export function routes(http: HttpApp, { reports, cases, views, mailLanguageOf }: RouteDeps): void {
  http.serve(operations.report, async ({ body, caller }) => {
    const { report, isNew } = await reports.create(body, caller);
    return new ResponseWithHeaders(report, { status: isNew ? 201 : 200 });
  });
  http.serve(operations.getPuzzle, async () => reports.puzzle());
  http.serve(operations.requestForPlace, async ({ body, address }, exchange) =>
    reports.requestForPlace(body, { address, language: mailLanguageOf(exchange) }),
  );
  http.serve(operations.listOwnDecisions, async ({ query, caller }) => {
    const found = await views.ownDecisions(caller.id, query);
    const { limit = defaultAuditLines } = query;
    const page = { operation: operations.listOwnDecisions, query, limit };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, cursorAfter) });
  });
  http.serve(
    operations.appeal,
    async ({ body, caller, idempotency }) =>
      new ResponseWithHeaders(await cases.appeal(body, { caller, idempotency }), { status: 201 }),
  );
  http.serve(operations.listCases, async ({ query }) => {
    const found = await views.list(query);
    const { limit = cases.defaultLimit } = query;
    const page = { operation: operations.listCases, query, limit };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, queueCursor(query.sort)) });
  });
  http.serve(operations.getCase, async ({ params }) => views.get(params.id));
  http.serve(operations.decide, async ({ params, body, caller, idempotency }) => {
    await cases.decide(params.id, body, { caller, idempotency });
    return views.get(params.id);
  });
  http.serve(operations.listAudit, async ({ query }) => {
    const found = await views.audit(query);
    const { limit = defaultAuditLines } = query;
    const page = { operation: operations.listAudit, query, limit };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, cursorAfter) });
  });
}

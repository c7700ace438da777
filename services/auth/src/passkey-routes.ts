import { operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { HttpApp } from '@wayquest/platform/http';
import type { MailLanguageOf } from '@wayquest/platform/mail';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Request, Response } from 'express';
import { clientInfoOf, originOf, ownershipProofOf, setAppealCookie } from './callers.ts';
import type { AppealCookie, ChallengeCookie } from './cookies.ts';
import type { Attempts } from './login-attempts.ts';
import type { Passkeys } from './passkeys.ts';
import { canHavePasskeys, relyingParty } from './relying-party.ts';
import type { Sessions } from './sessions.ts';

export interface PasskeyRoutesDeps {
  logger: Logger;
  passkeys: Passkeys;
  sessions: Sessions;
  attempts: Attempts;
  cookie: ChallengeCookie;
  appeals: AppealCookie;
  publicUrl: string | undefined;
  mailLanguageOf: MailLanguageOf;
  /** What the browser calls this installation when it asks for a passkey. */
  siteName: string;
}

/** HTTP → passkeys. */
export function passkeyRoutes(http: HttpApp, deps: PasskeyRoutesDeps): void {
  const { logger, passkeys, sessions, attempts, cookie, appeals, publicUrl, mailLanguageOf, siteName } = deps;

  /** Throws `not-configured` without a public URL, unless the request is for the local host; and at an IP address. */
  const partyFor = (request: Request) => {
    const origin = originOf(request, publicUrl);
    if (!origin) {
      logger.warn('passkeys need PUBLIC_URL where this is not localhost');
      throw new Problem('not-configured');
    }
    if (!canHavePasskeys(origin))
      throw new Problem('not-configured', {
        detail: `Passkeys need a name in the address. Please open ${siteName} at localhost, or at its domain.`,
      });
    return { party: relyingParty(origin, { name: siteName, logger }), secure: origin.startsWith('https:') };
  };

  const remember = (
    response: Response,
    ceremony: { challenge: string; accountId?: number },
    secure: boolean,
  ) => cookie.set(response, ceremony, { secure });

  http.serve(operations.listPasskeys, ({ caller }) => passkeys.list(caller.id));

  http.serve(operations.startPasskey, async (input, { request, response }) => {
    const { party, secure } = partyFor(request);
    const { accountId, creation } = await passkeys.begin(
      ownershipProofOf(input, input.body.currentPassword),
      party,
    );
    remember(response, { challenge: creation.challenge, accountId }, secure);
    return creation;
  });

  http.serve(operations.addPasskey, ({ body, caller, address, idempotency }, exchange) => {
    const { party } = partyFor(exchange.request);
    const ceremony = cookie.consume(exchange.request, exchange.response);
    const language = mailLanguageOf(exchange);
    return attempts.verifyByAddress(address, () =>
      passkeys.add({ ...body, accountId: caller.id }, ceremony, { party, language, idempotency }),
    );
  });

  http.serveOwned(operations.removePasskey, {
    find: ({ params }) => passkeys.find(params.id),
    owners: ({ accountId }) => [accountId],
    handle: async (request, found, exchange) => {
      const claim = ownershipProofOf(request, request.body.currentPassword);
      await passkeys.remove(found, claim, mailLanguageOf(exchange));
      return undefined;
    },
  });

  http.serve(operations.startPasskeyLogin, async (_, { request, response }) => {
    const { party, secure } = partyFor(request);
    const ceremony = await passkeys.createLogin(party);
    remember(response, { challenge: ceremony.challenge }, secure);
    return ceremony;
  });

  http.serve(operations.loginWithPasskey, ({ body, address }, exchange) => {
    const { party } = partyFor(exchange.request);
    const ceremony = cookie.consume(exchange.request, exchange.response);
    return sessions.loginAs(
      () => passkeys.identify(body.credential, ceremony, party),
      clientInfoOf(address, exchange),
      setAppealCookie(appeals, exchange, publicUrl),
    );
  });
}

import { createMailer, type MailerOptions, mailerOptionsOf } from '@wayquest/platform/mail';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import type { Redis } from 'ioredis';
import { accountModel } from './account.model.ts';
import { createAccounts } from './accounts.ts';
import { createBindingCookie } from './binding-cookie.ts';
import { googleRoutes } from './google.ts';
import type { GoogleConfig } from './google-strategy.ts';
import { knownNetworkModel } from './known-network.model.ts';
import { createKnownNetworks } from './known-networks.ts';
import { type AttemptLimits, createAttempts, defaultAttemptLimits } from './limits.ts';
import { loginCodeModel } from './login-code.model.ts';
import { createLoginCodes } from './login-codes.ts';
import { mailLinkModel } from './mail-link.model.ts';
import { createMailLinks } from './mail-links.ts';
import { createMails } from './mails.ts';
import { openSessionModel } from './open-session.model.ts';
import { createOpenSessions } from './open-sessions.ts';
import { createOwners } from './owners.ts';
import { createPasswords, defaultPasswordLimits, type PasswordLimits } from './passwords.ts';
import { createRecovery } from './recovery.ts';
import { accountRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { googleConfig, settings } from './settings.ts';
import { createTokens } from './tokens.ts';
import { createUsernames } from './usernames.ts';

export interface AuthDeps extends ServiceDeps {
  /** PEM (PKCS #8, RSA); tokens are signed with it. The deps' publicKey belongs to it. */
  privateKey: string;
  /** Where attempts are counted; in memory without it. */
  redis?: Redis | undefined;
  /** Without it Google sign-in is not set up. */
  google?: GoogleConfig | undefined;
  /** Where browsers find Wayquest, as `https://wayquest.example`. */
  publicUrl?: string | undefined;
  /** Where links in mails lead if `publicUrl` is not said. */
  home?: string | undefined;
  mail: Omit<MailerOptions, 'logger'>;
  attemptLimits?: Partial<AttemptLimits>;
  passwordLimits?: Partial<PasswordLimits>;
}

export type AuthTuning = Pick<AuthDeps, 'attemptLimits' | 'passwordLimits'>;

/** The auth service: accounts, passwords, tokens, Google sign-in. */
export function createAuthService({
  privateKey,
  redis,
  google,
  publicUrl,
  home = 'http://localhost:8080',
  mail,
  attemptLimits,
  passwordLimits,
  ...deps
}: AuthDeps): Service {
  const tokens = createTokens(privateKey);
  const passwords = createPasswords({ ...defaultPasswordLimits, ...passwordLimits });
  const attempts = createAttempts({ ...defaultAttemptLimits, ...attemptLimits }, redis);

  return createService('auth', deps, (kit) => {
    const { logger, connection, ids, outboxes, revocations, guard } = kit;
    const model = accountModel(connection);
    const accounts = createAccounts({
      model,
      nextId: () => ids.next('account'),
      outbox: outboxes.of(model),
      usernames: createUsernames(connection),
      async revoke({ data }) {
        await revocations.add(data);
        guard.forgetCached(data);
      },
      revocationsOf: revocations.of,
    });
    const codes = createLoginCodes(loginCodeModel(connection));
    const known = createKnownNetworks({ model: knownNetworkModel(connection), secret: privateKey });
    const open = createOpenSessions(openSessionModel(connection));
    const mailer = createMailer({ ...mail, logger });
    const mails = createMails({ mailer, home: publicUrl ?? home });
    const owners = createOwners({ logger, accounts, attempts, known, passwords });
    const links = createMailLinks(mailLinkModel(connection));
    const recovery = createRecovery({ logger, accounts, attempts, passwords, owners, links, mails });
    const sessions = createSessions({
      ...{ kit, accounts, attempts, known, passwords },
      ...{ codes, tokens, open, owners, links, mails },
    });
    return {
      routes(http) {
        const binding = createBindingCookie(privateKey);
        accountRoutes(http, { logger, accounts, sessions, owners, recovery, mails, binding });
        googleRoutes(http, { logger, accounts, codes, binding, secret: privateKey, google, publicUrl });
      },
      consumers: {},
      retell: accounts.retell,
      background: {
        start: async () => {},
        stop: recovery.finish,
        close: mailer.close,
        ready: () => true,
      },
    };
  });
}

/** As it is run, alone or with the others. */
export const authService = defineService({
  name: 'auth',
  settings,
  asks: [],
  fromSettings: (its, { redis, ...given }, tuning?: AuthTuning) =>
    createAuthService({
      ...given,
      ...tuning,
      privateKey: its.JWT_PRIVATE_KEY,
      google: googleConfig(its),
      publicUrl: its.PUBLIC_URL,
      mail: mailerOptionsOf(its),
      redis: redis(its.REDIS_URL),
    }),
});

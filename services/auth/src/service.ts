import type { KeyObject } from 'node:crypto';
import { operations, type PasswordLogin, type RegistrationMode } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { limits } from '@wayquest/platform/core';
import { type HttpApp, ResponseWithHeaders } from '@wayquest/platform/http';
import {
  createMailer,
  createMailLanguageOf,
  type MailerOptions,
  mailerOptionsOf,
} from '@wayquest/platform/mail';
import { createRateLimiter } from '@wayquest/platform/redis';
import {
  createService,
  defineService,
  mergeById,
  ownDataKind,
  type ReplayRecord,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import {
  type DynamicText,
  defaultSite,
  derivedFrom,
  publicKeysOf,
  type Site,
  siteFrom,
} from '@wayquest/platform/settings';
import type { Redis } from 'ioredis';
import { accountModel } from './account.model.ts';
import { createAccounts } from './accounts.ts';
import { adminRoutes } from './admin-routes.ts';
import { createAppealCookie, createBindingCookies, createChallengeCookie } from './cookies.ts';
import { createDeletions } from './deletions.ts';
import { googleRoutes } from './google.ts';
import type { GoogleConfig } from './google-strategy.ts';
import { createHashKey } from './hash-key.ts';
import { createIdentityLinks } from './identity-links.ts';
import { createInvitations, invitationModel } from './invitations.ts';
import { createKnownNetworks, knownNetworkModel } from './known-networks.ts';
import { type AttemptLimits, createAttempts, defaultAttemptLimits } from './login-attempts.ts';
import { createLoginCodes, loginCodeModel } from './login-codes.ts';
import {
  createFindPasswordlessMethods,
  createPasswordPolicy,
  createRequireLoginMethod,
} from './login-methods.ts';
import { createMailLinks, mailLinkModel } from './mail-links.ts';
import { createMails } from './mails.ts';
import { createManagedAccounts } from './managed-accounts.ts';
import { tokensValidFrom, usernameLooks } from './migrations.ts';
import { createOpenSessions, openSessionModel } from './open-sessions.ts';
import { openIdRoutes } from './openid.ts';
import type { OpenIdConfig } from './openid-provider.ts';
import { createPasskeyChallenges, passkeyModel } from './passkey.model.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { createPasskeys } from './passkeys.ts';
import { createPasswords, defaultPasswordLimits, type PasswordLimits } from './passwords.ts';
import { createReauthentication } from './reauthentication.ts';
import { createRecovery } from './recovery.ts';
import { createRegistration } from './registration.ts';
import { accountRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { googleConfig, openIdConfig, settings } from './settings.ts';
import { createSuspensions } from './suspensions.ts';
import { createTokens } from './tokens.ts';
import { createUsernameLooks } from './username-looks.ts';
import { createUsernames } from './usernames.ts';

const headers = { 'cache-control': 'public, max-age=300' };

/** Publishes the keys that tokens are verified with. */
function keyRoutes(http: HttpApp, publicKeys: () => ReadonlyMap<string, KeyObject>): void {
  http.serve(operations.getPublicKeys, async () => {
    const keys = [...publicKeys()].map(([kid, key]) => {
      const { n = '', e = '' } = key.export({ format: 'jwk' });
      return { kty: 'RSA' as const, n, e, kid, alg: 'RS256' as const, use: 'sig' as const };
    });
    return new ResponseWithHeaders({ keys }, { headers });
  });
}

export interface AuthDeps extends ServiceDeps {
  /** PEM (PKCS #8, RSA); signs tokens. Its public half must be in the deps' publicKey. */
  privateKey: DynamicText;
  /** Counts attempts; in memory without it. */
  redis?: Redis | undefined;
  /** Without it Google sign-in is not available. */
  google?: GoogleConfig | undefined;
  /** Without it sign-in with OpenID Connect is not available. */
  openId?: OpenIdConfig | undefined;
  /** Who can log in with a password. Default: everybody who has one. */
  passwordLogin?: PasswordLogin | undefined;
  /** The public URL, such as `https://wayquest.example`. */
  publicUrl?: string | undefined;
  /** The base URL of links in mails without a `publicUrl`. */
  defaultPublicUrl?: string | undefined;
  mail: Omit<MailerOptions, 'logger'>;
  /** What the operator calls this installation, and its language. */
  site?: Site;
  /** Who can create an account. Default: everybody. */
  registration?: RegistrationMode | undefined;
  /** How many accounts may wait for approval at a time. */
  maxWaitingAccounts?: number;
  /** For how many days a login cancels a deletion. */
  deletionGraceDays: number;
  /** Interval of the search for accounts that are due for deletion, in milliseconds. */
  deletionsEveryMs?: number;
  attemptLimits?: Partial<AttemptLimits>;
  passwordLimits?: Partial<PasswordLimits>;
}

export type AuthTuning = Pick<
  AuthDeps,
  'attemptLimits' | 'passwordLimits' | 'deletionsEveryMs' | 'google' | 'openId'
>;

const defaultDeletionsEveryMs = 60_000;

/** Creates the auth service: accounts, passwords, tokens, sign-in with Google and OpenID Connect, passkeys. */
export function createAuthService({
  privateKey,
  redis,
  google,
  openId,
  passwordLogin = 'on',
  publicUrl,
  defaultPublicUrl = 'http://localhost:8080',
  mail,
  site = defaultSite,
  registration: registrationMode = 'open',
  maxWaitingAccounts = limits.waitingAccounts.max,
  deletionGraceDays,
  deletionsEveryMs = defaultDeletionsEveryMs,
  attemptLimits,
  passwordLimits,
  ...deps
}: AuthDeps): Service {
  const publicKeys = derivedFrom(deps.publicKey, publicKeysOf);
  const tokens = createTokens(privateKey, publicKeys);
  const passwords = createPasswords({ ...defaultPasswordLimits, ...passwordLimits });
  const passwordPolicy = createPasswordPolicy(passwordLogin);
  const requireLoginMethod = createRequireLoginMethod(passwordPolicy);
  const usernameLimiter = createRateLimiter(limits.usernameChanges, redis);
  const attempts = createAttempts({ ...defaultAttemptLimits, ...attemptLimits }, redis);

  return createService('auth', deps, (kit) => {
    const { logger, clock, connection, ids, outboxes, revocations, erasedUsers, guard } = kit;
    const model = accountModel(connection);
    const looks = createUsernameLooks(connection, clock);
    const hashKey = createHashKey(connection);
    const usernames = createUsernames({ connection, hashKey, looks, clock, siteName: site.name });
    const accounts = createAccounts({
      model,
      nextId: () => ids.next('account'),
      outbox: outboxes.forModel(model),
      usernames,
      async revoke({ data }) {
        await revocations.add(data);
        guard.invalidate(data);
      },
      revocationsOf: revocations.listFor,
      clock,
    });
    const invitations = createInvitations(invitationModel(connection), hashKey, clock);
    const registration = createRegistration({
      ...{ mode: registrationMode, invitations, accounts, maxWaiting: maxWaitingAccounts, clock },
    });
    const codes = createLoginCodes(loginCodeModel(connection), clock);
    const knownNetworks = createKnownNetworks({
      ...{ model: knownNetworkModel(connection), hashKey, clock },
    });
    const open = createOpenSessions(openSessionModel(connection), clock);
    const mailer = createMailer({ ...mail, logger });
    const webAppUrl = publicUrl ?? defaultPublicUrl;
    const mails = createMails({
      ...{ mailer, siteName: site.name, webAppUrl, openIdName: openId?.name },
      passwordLogin: passwordPolicy.mode,
    });
    const reauthentication = createReauthentication({
      ...{ logger, accounts, attempts, knownNetworks, passwords, passwordPolicy, clock },
    });
    const links = createMailLinks(mailLinkModel(connection), clock);
    const managed = createManagedAccounts({
      ...{ model, accounts, passwordPolicy, links, mails, clock },
      sendsMails: mail.smtpUrl !== undefined,
    });
    const findPasswordlessMethods = createFindPasswordlessMethods(passkeyModel(connection));
    const recovery = createRecovery({
      ...{ logger, accounts, attempts, passwords, passwordPolicy, reauthentication, links, mails },
      findPasswordlessMethods,
    });
    const deletions = createDeletions({
      ...{ logger, accounts, attempts, reauthentication, mails, clock },
      graceDays: deletionGraceDays,
      everyMs: deletionsEveryMs,
    });
    const linksDeps = { logger, accounts, attempts, reauthentication, requireLoginMethod, codes };
    const googleLinks = createIdentityLinks({
      ...linksDeps,
      field: 'googleId',
      linked: { event: 'google-linked', mail: mails.googleLinked },
      unlinked: { event: 'google-unlinked', mail: mails.googleUnlinked },
      decidesRights: false,
    });
    const openIdLinks = createIdentityLinks({
      ...linksDeps,
      field: 'openId',
      linked: { event: 'openid-linked', mail: mails.openIdLinked },
      unlinked: { event: 'openid-unlinked', mail: mails.openIdUnlinked },
      decidesRights: openId?.adminGroup !== undefined,
    });
    const suspensions = createSuspensions({ logger, accounts, clock });
    const sessions = createSessions({
      ...{ kit, accounts, registration, attempts, knownNetworks, passwords, passwordPolicy },
      ...{
        codes,
        tokens,
        openSessions: open,
        reauthentication,
        links,
        mails,
        deletions,
        suspensions,
        findPasswordlessMethods,
      },
    });
    const passkeys = createPasskeys({
      ...{ logger, accounts, reauthentication, requireLoginMethod, mails, clock },
      model: passkeyModel(connection),
      challenges: createPasskeyChallenges(connection, clock),
    });
    /** Snapshots contain deletions, for services that were restored from a backup. */
    const erasedUsersSnapshot = async function* (after: number): AsyncGenerator<ReplayRecord, void> {
      for await (const id of erasedUsers.idsAfter(after))
        yield { id, events: [newEvent('user.deleted.v1', { id }, clock)] };
    };
    return {
      migrations: [
        usernameLooks(connection, looks),
        tokensValidFrom(connection),
        hashKey.fromSigningKey(privateKey),
      ],
      prepare: hashKey.ensure,
      routes(http) {
        const context = { hashKey, clock };
        const mailLanguageOf = createMailLanguageOf(site.language);
        const bindings = createBindingCookies(context);
        const appeals = createAppealCookie(context);
        accountRoutes(http, {
          ...{ logger, accounts, registration, sessions, reauthentication, recovery, deletions, mails },
          ...{ passwordPolicy, appeals, publicUrl, google, openId, usernameLimiter, mailLanguageOf },
          binding: bindings.login,
        });
        adminRoutes(http, { managed, invitations, mailLanguageOf });
        keyRoutes(http, publicKeys);
        const signInDeps = {
          ...{ ...context, logger, accounts, codes, loginCookie: bindings.login, publicUrl },
          mailLanguageOf,
        };
        googleRoutes(http, { ...signInDeps, registration, links: googleLinks, bindings, google });
        openIdRoutes(http, { ...signInDeps, links: openIdLinks, bindings, openId });
        passkeyRoutes(http, {
          ...{ logger, passkeys, sessions, attempts, appeals, publicUrl, mailLanguageOf },
          siteName: site.name,
          cookie: createChallengeCookie(context),
        });
      },
      consumers: { 'moderation.decided.v1': suspensions.apply },
      ownData: [
        ownDataKind(
          'account',
          model,
          (_id) => ({ _id }),
          ({ username, email, googleId, openId, admin, changedAt, passwordHash }) => {
            return { username, email, googleId, openId, admin, changedAt, hasPassword: !!passwordHash };
          },
        ),
        ownDataKind(
          'passkeys',
          passkeyModel(connection),
          (accountId) => ({ accountId }),
          ({ name, madeAt, usedAt }) => ({ name, madeAt, usedAt }),
        ),
        ownDataKind('sessions', openSessionModel(connection), (userId) => ({ userId })),
      ],
      async erase(id) {
        const all = [
          ...[links.erase, open.erase, codes.erase],
          ...[passkeys.erase, usernames.erase, mails.erase],
        ];
        await Promise.all(all.map((erase) => erase(id)));
      },
      // All ids are of one sequence, and never reused.
      snapshot: (after) => mergeById<ReplayRecord>(accounts.snapshot(after), erasedUsersSnapshot(after)),
      background: {
        start: async () => deletions.start(),
        async stop() {
          await deletions.stop();
          await recovery.waitForPending();
        },
        close: mailer.close,
        ready: () => true,
      },
    };
  });
}

/** How the service is created from its settings. */
export const authService = defineService({
  name: 'auth',
  settings,
  calls: [],
  create: (config, { redis, dynamicSetting, ...deps }, tuning?: AuthTuning) =>
    createAuthService({
      ...deps,
      ...tuning,
      privateKey: dynamicSetting('JWT_PRIVATE_KEY', config.JWT_PRIVATE_KEY),
      google: tuning?.google ?? googleConfig(config),
      openId: tuning?.openId ?? openIdConfig(config),
      passwordLogin: config.PASSWORD_LOGIN,
      publicUrl: config.PUBLIC_URL,
      mail: mailerOptionsOf(config),
      site: siteFrom(config),
      registration: config.REGISTRATION,
      deletionGraceDays: config.DELETION_GRACE_DAYS,
      redis: redis(config.REDIS_URL),
    }),
});

import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import type { Redis } from 'ioredis';
import { accountModel } from './account.model.ts';
import { createAccounts } from './accounts.ts';
import { googleRoutes } from './google.ts';
import type { GoogleConfig } from './google-strategy.ts';
import { type AttemptLimits, createAttempts, defaultAttemptLimits } from './limits.ts';
import { loginCodeModel } from './login-code.model.ts';
import { createLoginCodes } from './login-codes.ts';
import { createPasswords, defaultPasswordLimits, type PasswordLimits } from './passwords.ts';
import { accountRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';

export interface AuthDeps extends ServiceDeps {
  /** PEM (PKCS #8, RSA); tokens are signed with it. The deps' publicKey belongs to it. */
  privateKey: string;
  /** Where attempts are counted; in memory without it. */
  redis?: Redis | undefined;
  /** Without it Google sign-in is not set up. */
  google?: GoogleConfig | undefined;
  /** Where browsers find Wayquest, as `https://wayquest.example`. */
  publicUrl?: string | undefined;
  attemptLimits?: Partial<AttemptLimits>;
  passwordLimits?: Partial<PasswordLimits>;
}

/** The auth service: accounts, passwords, tokens, Google sign-in. */
export function createAuthService({
  privateKey,
  redis,
  google,
  publicUrl,
  attemptLimits,
  passwordLimits,
  ...deps
}: AuthDeps): Service {
  const tokens = createTokens(privateKey);
  const passwords = createPasswords({ ...defaultPasswordLimits, ...passwordLimits });
  const attempts = createAttempts({ ...defaultAttemptLimits, ...attemptLimits }, redis);

  return createService('auth', deps, (kit) => {
    const { logger, connection, ids, outbox, revocations, guard } = kit;
    const model = accountModel(connection);
    const accounts = createAccounts({
      model,
      nextId: () => ids.next('account'),
      send: (id, events) => outbox.send(model, id, events),
      async revoke({ data }) {
        await revocations.add(data);
        guard.forgetCached();
      },
    });
    const codes = createLoginCodes(loginCodeModel(connection));
    const sessions = createSessions({ kit, accounts, attempts, passwords, codes, tokens });
    return {
      routes(http) {
        accountRoutes(http, accounts, sessions);
        googleRoutes(http, { logger, accounts, codes, secret: privateKey, google, publicUrl });
      },
      consumers: {},
    };
  });
}

import { createPrivateKey } from 'node:crypto';
import { PasswordLogin, RegistrationMode } from '@wayquest/contracts';
import { mailSettings } from '@wayquest/platform/mail';
import {
  publicKeyOf,
  publicKeysOf,
  publicUrlDescription,
  publicUrlSetting,
  redisUrlSetting,
  serviceSettings,
  wholeNumber,
} from '@wayquest/platform/settings';
import { z } from 'zod';
import { loopback } from './callers.ts';
import type { GoogleConfig } from './google-strategy.ts';
import type { OpenIdConfig } from './openid-provider.ts';

function tryOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const minModulusBits = 2_048;

const PrivateKey = z.string().refine(
  (pem) => {
    const key = tryOrUndefined(() => createPrivateKey(pem));
    return (
      key?.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minModulusBits
    );
  },
  { error: 'must be a private RSA key of at least 2048 bits in PEM' },
);

/** An unreadable key has its own error. */
const keysMatch = (keys: { JWT_PRIVATE_KEY: string; JWT_PUBLIC_KEY: string }) => {
  const signingKey = tryOrUndefined(() => publicKeyOf(keys.JWT_PRIVATE_KEY));
  const publicKeys = tryOrUndefined(() => publicKeysOf(keys.JWT_PUBLIC_KEY));
  return !signingKey || !publicKeys || publicKeys.has(signingKey.kid);
};

export const privateKeySetting = PrivateKey.describe(
  'The RSA private key that signs tokens, of at least 2048 bits, in PEM.',
);

/** The all-in-one process generates the keys if necessary. */
const keys = z
  .object({ JWT_PRIVATE_KEY: privateKeySetting, JWT_PUBLIC_KEY: serviceSettings.shape.JWT_PUBLIC_KEY })
  .refine(keysMatch, {
    path: ['JWT_PUBLIC_KEY'],
    error: 'must contain the public key of JWT_PRIVATE_KEY',
  });

/** Whether a URL can be an issuer (OpenID Connect Discovery 1.0, section 3); without TLS only on this machine. */
function isIssuer(text: string): boolean {
  const url = tryOrUndefined(() => new URL(text));
  if (!url || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
}

/** Settings besides the keys. The paths of the callbacks are fixed. */
export const signInSettings = z
  .object({
    REDIS_URL: redisUrlSetting,
    GOOGLE_CLIENT_ID: z.string().optional().describe('The client id for Google sign-in.'),
    GOOGLE_CLIENT_SECRET: z.string().optional().describe('The client secret for Google sign-in.'),
    OIDC_ISSUER: z
      .string()
      .refine(isIssuer, 'must be an https:// address without a query, or an http:// one of localhost')
      .optional()
      .describe(
        'The issuer of an OpenID Connect provider that people log in with: the URL before `/.well-known/openid-configuration`.',
      ),
    OIDC_CLIENT_ID: z.string().optional().describe('The client id at that provider.'),
    OIDC_CLIENT_SECRET: z.string().optional().describe('The client secret at that provider.'),
    OIDC_NAME: z
      .string()
      .trim()
      .max(40, 'must have at most 40 characters')
      .optional()
      .describe('What people call that provider: the button says “Log in with” it. Default: single sign-on.'),
    OIDC_SIGNUP: z
      .enum(['on', 'off'], 'must be on or off')
      .default('on')
      .describe(
        'Whether a first login there creates an account, whatever `REGISTRATION` says; with `off` only linked accounts log in.',
      ),
    OIDC_ADMIN_GROUP: z
      .string()
      .optional()
      .describe(
        'The group at that provider (claim `groups`) whose members are admins, from their next login there until one without it. Without it, logins there change no rights.',
      ),
    PASSWORD_LOGIN: z
      .enum(PasswordLogin.options, 'must be on or off')
      .default('on')
      .describe(
        'Who logs in with a password: `on` is everybody who has one, `off` only admins. `off` needs `OIDC_ISSUER` or `GOOGLE_CLIENT_ID`.',
      ),
    PUBLIC_URL: publicUrlSetting.optional().describe(publicUrlDescription),
    DELETION_GRACE_DAYS: wholeNumber({ min: 0 })
      .default(14)
      .describe('After how many days a deleted account is erased; until then, logging in restores it.'),
    REGISTRATION: z
      .enum(RegistrationMode.options, 'must be open, approval, invitation or closed')
      .default('open')
      .describe(
        'Who can create an account: `open` is everybody, `approval` everybody whom an admin approves, `invitation` who has one, `closed` nobody.',
      ),
    ...mailSettings.shape,
  })
  .refine(({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }) => !id === !secret, {
    path: ['GOOGLE_CLIENT_SECRET'],
    error: 'must be set together with GOOGLE_CLIENT_ID',
  })
  .refine(
    ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret }) =>
      !issuer === !id && !issuer === !secret,
    { path: ['OIDC_ISSUER'], error: 'must be set together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET' },
  )
  .refine(
    ({ PASSWORD_LOGIN, OIDC_ISSUER, GOOGLE_CLIENT_ID }) =>
      PASSWORD_LOGIN === 'on' || !!OIDC_ISSUER || !!GOOGLE_CLIENT_ID,
    {
      path: ['PASSWORD_LOGIN'],
      error: 'can be off only with OIDC_ISSUER or GOOGLE_CLIENT_ID, else members could not log in',
    },
  )
  .refine(({ SMTP_URL, PUBLIC_URL }) => !SMTP_URL || !!PUBLIC_URL, {
    path: ['PUBLIC_URL'],
    error: 'must be set together with SMTP_URL, for the links in mails',
  });

/** The service's own settings, beside the platform's. */
export const settings = keys.and(signInSettings);

/** Undefined if Google sign-in is not configured. */
export const googleConfig = ({
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
}: z.output<typeof signInSettings>): GoogleConfig | undefined =>
  clientId && clientSecret ? { clientId, clientSecret } : undefined;

/** Undefined if sign-in with OpenID Connect is not configured. */
export const openIdConfig = ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: name,
  OIDC_SIGNUP: signUp,
  OIDC_ADMIN_GROUP: adminGroup,
}: z.output<typeof signInSettings>): OpenIdConfig | undefined =>
  issuer && clientId && clientSecret
    ? { issuer, clientId, clientSecret, name, signUp: signUp === 'on', adminGroup }
    : undefined;

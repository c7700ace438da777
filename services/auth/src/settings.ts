import { createPrivateKey } from 'node:crypto';
import { RegistrationMode } from '@wayquest/contracts';
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
import type { GoogleConfig } from './google-strategy.ts';

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

/** Settings besides the keys. The path of the callback is fixed. */
export const signInSettings = z
  .object({
    REDIS_URL: redisUrlSetting,
    GOOGLE_CLIENT_ID: z.string().optional().describe('The client id for Google sign-in.'),
    GOOGLE_CLIENT_SECRET: z.string().optional().describe('The client secret for Google sign-in.'),
    PUBLIC_URL: publicUrlSetting.optional().describe(publicUrlDescription),
    DELETION_GRACE_DAYS: wholeNumber({ min: 0 })
      .default(14)
      .describe('After how many days a deleted account is erased; until then, logging in restores it.'),
    REGISTRATION: z
      .enum(RegistrationMode.options, 'must be open, invitation or closed')
      .default('open')
      .describe(
        'Who can create an account: `open` is everybody, `invitation` who has one (`npm run admin -- invite`), `closed` nobody.',
      ),
    ...mailSettings.shape,
  })
  .refine(({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }) => !id === !secret, {
    path: ['GOOGLE_CLIENT_SECRET'],
    error: 'must be set together with GOOGLE_CLIENT_ID',
  })
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

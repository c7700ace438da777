import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { serviceSettings } from '@wayquest/platform';
import { z } from 'zod';
import type { GoogleConfig } from './google-strategy.ts';

function keyOf(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const smallestKey = 2_048;

const PrivateKey = z.string().refine(
  (pem) => {
    const key = keyOf(() => createPrivateKey(pem));
    return key?.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= smallestKey;
  },
  { error: 'must be a private RSA key of at least 2048 bits in PEM' },
);

const belongTogether = ({
  JWT_PRIVATE_KEY,
  JWT_PUBLIC_KEY,
}: {
  JWT_PRIVATE_KEY: string;
  JWT_PUBLIC_KEY: string;
}) => {
  const theirs = keyOf(() => createPublicKey(JWT_PUBLIC_KEY));
  return !!theirs && createPublicKey(JWT_PRIVATE_KEY).equals(theirs);
};

/** An origin alone: the callback's path is ours. */
const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .refine((url) => new URL(url).href === `${new URL(url).origin}/`, 'must be an origin, without a path')
  .transform((url) => new URL(url).origin);

/** Of Google sign-in, also for the all-in-one runner. */
export const googleSettings = z.object({
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  PUBLIC_URL: PublicUrl.optional(),
});

/** Nothing when Google sign-in is not set up. */
export const googleConfig = ({
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
}: z.output<typeof googleSettings>): GoogleConfig | undefined =>
  clientId && clientSecret ? { clientId, clientSecret } : undefined;

/** What the auth service's process is told. */
export const authSettings = serviceSettings
  .extend({ JWT_PRIVATE_KEY: PrivateKey, ...googleSettings.shape })
  .refine(belongTogether, { path: ['JWT_PUBLIC_KEY'], error: 'must be the public half of JWT_PRIVATE_KEY' })
  .refine(({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }) => !id === !secret, {
    path: ['GOOGLE_CLIENT_SECRET'],
    error: 'must be set together with GOOGLE_CLIENT_ID',
  });

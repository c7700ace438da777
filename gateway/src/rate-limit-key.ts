import { hash } from 'node:crypto';
import { ipPrefix64, tokenOf } from '@wayquest/platform/http';

/** The keys by which a request counts against the limits. */
export interface RateLimitKey {
  network: string;
  /** A hash of the token, the same for all its spellings; the network for a request without one. */
  client: string;
}

/**
 * The part of a token that its signature covers. The key excludes the signature, because its last character has sixteen
 * equivalent encodings, each of which would have limits of its own.
 */
const signedPart = (token: string): string => token.slice(0, Math.max(0, token.lastIndexOf('.'))) || token;

/**
 * Derives the keys before the token is verified.
 *
 * @param authorization - The header's value.
 */
export function rateLimitKeyOf(address: string, authorization: string | undefined): RateLimitKey {
  const network = ipPrefix64(address);
  const token = tokenOf(authorization);
  return { network, client: token === undefined ? network : hash('sha256', signedPart(token), 'base64url') };
}

import { hash } from 'node:crypto';
import { networkOf, tokenOf } from '@wayquest/platform/http';

/** Whose call counts against which limits. */
export interface Visitor {
  network: string;
  /** One for all spellings of a token; the network's where there is none. */
  caller: string;
}

/**
 * What a token signs is counted by, not the token: the last character of its signature can be spelled in sixteen ways that
 * mean the same, and each would have limits of its own.
 */
const signedPart = (token: string): string => token.slice(0, Math.max(0, token.lastIndexOf('.'))) || token;

/** Who is at the door, as far as it can be told before anybody has looked at the token. */
export function visitorOf(address: string, authorization: string | undefined): Visitor {
  const network = networkOf(address);
  const token = tokenOf(authorization);
  return { network, caller: token === undefined ? network : hash('sha256', signedPart(token), 'base64url') };
}

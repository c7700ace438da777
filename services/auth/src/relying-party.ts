import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  type CredentialAssertion,
  type NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@wayquest/contracts';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import { challengeLifetimeMs, type StoredPasskey } from './passkey.model.ts';

/** COSE's EdDSA, ES256 and RS256, even if a newer Node supports more: an older instance has to verify them, too. */
const algorithms = [-8, -7, -257];

/** The user handle of an account's passkeys. */
const userHandleOf = (accountId: number): string => Buffer.from(String(accountId)).toString('base64url');

/** WebAuthn's relying party: this installation at an origin. */
export interface RelyingParty {
  /** Returns the browser's options for creating a passkey. */
  creation(account: Account, existing: Pick<StoredPasskey, '_id' | 'transports'>[]): Promise<PasskeyCreation>;
  /** Returns the browser's options for a login with any passkey. */
  request(): Promise<PasskeyRequest>;
  /** Verifies a new passkey; returns its credential, or undefined if it does not match the challenge. */
  verifyRegistration(
    credential: NewCredential,
    challenge: string,
  ): Promise<Pick<StoredPasskey, '_id' | 'publicKey' | 'counter' | 'transports'> | undefined>;
  /**
   * Verifies a signature; returns the new counter, or undefined if it does not match the challenge, or the counter
   * shows a clone.
   */
  verifyAssertion(
    credential: CredentialAssertion,
    challenge: string,
    passkey: StoredPasskey,
  ): Promise<number | undefined>;
}

/** Whether an origin can have passkeys: browsers allow none at an IP address (WebAuthn, section 5.1.2). */
export const canHavePasskeys = (origin: string): boolean =>
  isIP(new URL(origin).hostname.replace(/^\[|\]$/g, '')) === 0;

/** Creates the relying party for the origin of a request, which `canHavePasskeys`. */
export function relyingParty(
  origin: string,
  { name, logger }: { name: string; logger: Logger },
): RelyingParty {
  const rpID = new URL(origin).hostname;

  /** Returns undefined for an invalid credential, whose caller learns no more; the log contains the reason. */
  const undefinedIfInvalid = async <T>(verified: Promise<T>): Promise<T | undefined> => {
    try {
      return await verified;
    } catch (error) {
      logger.info({ err: error }, 'passkey verification failed');
      return undefined;
    }
  };

  return {
    async creation({ _id, username }: Account, existing: Pick<StoredPasskey, '_id' | 'transports'>[]) {
      const options = await generateRegistrationOptions({
        ...{ rpName: name, rpID, userName: username, userDisplayName: username },
        userID: new Uint8Array(Buffer.from(String(_id))),
        timeout: challengeLifetimeMs,
        excludeCredentials: existing.map(({ _id: id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      });
      return PasskeyCreation.parse(options);
    },

    async request() {
      const options = { rpID, timeout: challengeLifetimeMs, userVerification: 'required' as const };
      return PasskeyRequest.parse(await generateAuthenticationOptions(options));
    },

    async verifyRegistration(
      { response: { transports = [], ...response }, ...credential }: NewCredential,
      challenge: string,
    ) {
      const found = await undefinedIfInvalid(
        verifyRegistrationResponse({
          response: { ...credential, response: { ...response, transports }, clientExtensionResults: {} },
          ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
          supportedAlgorithmIDs: algorithms,
        }),
      );
      if (!found?.verified) return undefined;
      const { id, publicKey, counter } = found.registrationInfo.credential;
      return { _id: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    },

    async verifyAssertion(
      { response: { userHandle, ...response }, ...credential }: CredentialAssertion,
      challenge: string,
      { _id, publicKey, counter, accountId }: StoredPasskey,
    ) {
      if (userHandle !== userHandleOf(accountId)) return undefined;
      const found = await undefinedIfInvalid(
        verifyAuthenticationResponse({
          response: { ...credential, response, clientExtensionResults: {} },
          ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
          credential: { id: _id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
        }),
      );
      return found?.verified ? found.authenticationInfo.newCounter : undefined;
    },
  };
}

import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  type NewCredential,
  PasskeyCreation,
  PasskeyRequest,
  type PresentedCredential,
} from '@wayquest/contracts';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { StoredPasskey } from './passkey.model.ts';
import { challengeLifetimeMs } from './passkey-challenges.ts';

/** EdDSA, ES256 and RS256 of COSE, whatever else a newer Node could check: an older instance has to as well. */
const algorithms = [-8, -7, -257];

/** What a passkey of an account says whose it is. */
const userHandleOf = (accountId: number): string => Buffer.from(String(accountId)).toString('base64url');

/** Wayquest as passkeys know it (the relying party of WebAuthn), where it is seen from. */
export function relyingParty(origin: string, logger: Logger) {
  const rpID = new URL(origin).hostname;

  /** What is not right is no more than that to who sent it; the log says why. */
  const unlessWrong = async <T>(verified: Promise<T>): Promise<T | undefined> => {
    try {
      return await verified;
    } catch (error) {
      logger.info({ err: error }, 'a passkey was refused');
      return undefined;
    }
  };

  return {
    /** What the browser makes a passkey by. */
    async creation({ _id, username }: Account, has: Pick<StoredPasskey, '_id' | 'transports'>[]) {
      const options = await generateRegistrationOptions({
        ...{ rpName: 'Wayquest', rpID, userName: username, userDisplayName: username },
        userID: new Uint8Array(Buffer.from(String(_id))),
        timeout: challengeLifetimeMs,
        excludeCredentials: has.map(({ _id: id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      });
      return PasskeyCreation.parse(options);
    },

    /** What the browser asks for a passkey by, whosever it is. */
    async request() {
      const asked = { rpID, timeout: challengeLifetimeMs, userVerification: 'required' as const };
      return PasskeyRequest.parse(await generateAuthenticationOptions(asked));
    },

    /** What a new passkey is known again by; nothing if it does not answer the challenge. */
    async made(
      { response: { transports = [], ...response }, ...credential }: NewCredential,
      challenge: string,
    ): Promise<Pick<StoredPasskey, '_id' | 'publicKey' | 'counter' | 'transports'> | undefined> {
      const found = await unlessWrong(
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

    /** How often a passkey has signed; nothing if it did not sign the challenge, or is a copy. */
    async counted(
      { response: { userHandle, ...response }, ...credential }: PresentedCredential,
      challenge: string,
      { _id, publicKey, counter, accountId }: StoredPasskey,
    ): Promise<number | undefined> {
      if (userHandle !== userHandleOf(accountId)) return undefined;
      const found = await unlessWrong(
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

export type RelyingParty = ReturnType<typeof relyingParty>;

import type { Client, CredentialAssertion, NewCredential } from '@wayquest/contracts';
import { withTimeout } from './with-timeout.ts';

/** The WebAuthn client, loaded when it is used. */
const browserPart = () => withTimeout(import('@simplewebauthn/browser'));

type Given<N extends 'startPasskey' | 'startPasskeyLogin'> = Awaited<ReturnType<Client[N]>>;

/** Creates a passkey in the browser. Returns undefined if the person canceled, or the authenticator has one already. */
export async function makePasskey(optionsJSON: Given<'startPasskey'>): Promise<NewCredential | undefined> {
  const { startRegistration } = await browserPart();
  return startRegistration({ optionsJSON }).catch(() => undefined);
}

/** Authenticates with a passkey. Returns undefined if there is none, or the person canceled. */
export async function presentPasskey(
  optionsJSON: Given<'startPasskeyLogin'>,
): Promise<CredentialAssertion | undefined> {
  const { startAuthentication } = await browserPart();
  return startAuthentication({ optionsJSON }).catch(() => undefined);
}

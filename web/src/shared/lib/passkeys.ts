import type { Client, CredentialAssertion, NewCredential } from '@wayquest/contracts';
import { withTimeout } from './lazy-loading.ts';

/** The WebAuthn client, loaded when it is used. */
const loadWebAuthn = () => withTimeout(import('@simplewebauthn/browser'));

type PasskeyOptions<N extends 'startPasskey' | 'startPasskeyLogin'> = Awaited<ReturnType<Client[N]>>;

/** Creates a passkey in the browser. Returns undefined if the person canceled, or the authenticator has one already. */
export async function createPasskey(
  optionsJSON: PasskeyOptions<'startPasskey'>,
): Promise<NewCredential | undefined> {
  const { startRegistration } = await loadWebAuthn();
  return startRegistration({ optionsJSON }).catch(() => undefined);
}

/** Authenticates with a passkey. Returns undefined if there is none, or the person canceled. */
export async function presentPasskey(
  optionsJSON: PasskeyOptions<'startPasskeyLogin'>,
): Promise<CredentialAssertion | undefined> {
  const { startAuthentication } = await loadWebAuthn();
  return startAuthentication({ optionsJSON }).catch(() => undefined);
}

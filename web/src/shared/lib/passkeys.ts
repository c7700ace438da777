import type { Client, CredentialAssertion, NewCredential } from '@wayquest/contracts';
import { loadPart } from './load-part.ts';

/** The WebAuthn client, loaded when it is used. */
const loadWebAuthn = () => loadPart(() => import('@simplewebauthn/browser'));

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

/** Whether browsers accept the page's address for passkeys: it needs a name, such as `localhost` (WebAuthn, section 5.1.2). */
export const isPasskeyAddress = (): boolean =>
  typeof location === 'undefined' || !/^\[|^[\d.]+$/.test(location.hostname);

/** What a page tells password managers about its passkeys (WebAuthn Level 3, section 5.1.10), where the browser knows that. */
interface PasskeySignals {
  signalAllAcceptedCredentials(options: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: string[];
  }): Promise<void>;
  signalCurrentUserDetails(options: {
    rpId: string;
    userId: string;
    name: string;
    displayName: string;
  }): Promise<void>;
  signalUnknownCredential(options: { rpId: string; credentialId: string }): Promise<void>;
}

/** Sends a signal, if the browser can. Nothing depends on it. */
async function signal(send: (signals: Partial<PasskeySignals>) => Promise<void> | undefined): Promise<void> {
  try {
    if ('PublicKeyCredential' in globalThis) await send(PublicKeyCredential);
  } catch (error) {
    console.warn('The browser could not be told about a passkey', error);
  }
}

/** The user handle of an account's passkeys, as the server sets it. */
const userHandleOf = (userId: number) => btoa(String(userId)).replaceAll('=', '');

/** After a passkey was removed: others must not be offered any more. */
export const signalPasskeys = (userId: number, ids: string[]): Promise<void> =>
  signal((signals) =>
    signals.signalAllAcceptedCredentials?.({
      ...{ rpId: location.hostname, userId: userHandleOf(userId), allAcceptedCredentialIds: ids },
    }),
  );

/** After a change of the username, under which passkeys are listed. */
export const signalUsername = (userId: number, username: string): Promise<void> =>
  signal((signals) =>
    signals.signalCurrentUserDetails?.({
      ...{ rpId: location.hostname, userId: userHandleOf(userId), name: username, displayName: username },
    }),
  );

/** After a login with a passkey that no account has. */
export const signalUnknownPasskey = (credentialId: string): Promise<void> =>
  signal((signals) => signals.signalUnknownCredential?.({ rpId: location.hostname, credentialId }));

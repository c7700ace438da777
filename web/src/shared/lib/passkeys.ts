import type { Client, NewCredential, PresentedCredential } from '@wayquest/contracts';
import { inTime } from './in-time.ts';

/** The browser's part of passkeys, loaded when somebody uses one. */
const browserPart = () => inTime(import('@simplewebauthn/browser'));

type Given<N extends 'startPasskey' | 'startPasskeyLogin'> = Awaited<ReturnType<Client[N]>>;

/** Has the browser make a passkey. Nothing if the person did not want to in the end, or it has one already. */
export async function makePasskey(optionsJSON: Given<'startPasskey'>): Promise<NewCredential | undefined> {
  const { startRegistration } = await browserPart();
  return startRegistration({ optionsJSON }).catch(() => undefined);
}

/** Has the browser show a passkey. Nothing if there is none, or the person did not want to in the end. */
export async function presentPasskey(
  optionsJSON: Given<'startPasskeyLogin'>,
): Promise<PresentedCredential | undefined> {
  const { startAuthentication } = await browserPart();
  return startAuthentication({ optionsJSON }).catch(() => undefined);
}

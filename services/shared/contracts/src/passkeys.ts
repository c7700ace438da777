import { z } from 'zod';
import { CurrentPassword, reauthenticationProblems, Session } from './auth.ts';
import { operation } from './operation.ts';
import { singleLineText, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';

const Base64Url = z.string().regex(/^[\w-]+$/, 'must be base64url');

/** A credential id: at most 1023 bytes (WebAuthn). */
const CredentialId = Base64Url.max(1_364);

/** Binary data of an authenticator, verified by the auth service. */
const AuthenticatorData = Base64Url.max(20_000);

const publicKeyType = z.literal('public-key');

/** A passkey of a device or a password manager. */
export const Passkey = z
  .object({
    id: CredentialId,
    name: z.string(),
    madeAt: Timestamp,
    usedAt: Timestamp.nullable().meta({ description: 'Last login with it.' }),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyName = singleLineText(textLimits.passkeyName).min(1, 'must not be empty');

/** Options for creating a passkey (PublicKeyCredentialCreationOptionsJSON of WebAuthn). */
export const PasskeyCreation = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: Base64Url, name: z.string(), displayName: z.string() }),
    challenge: Base64Url,
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: publicKeyType })),
    timeout: z.int(),
    excludeCredentials: z.array(
      z.object({ id: CredentialId, type: publicKeyType, transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreation' });
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** Options for a login with a passkey (PublicKeyCredentialRequestOptionsJSON of WebAuthn). */
export const PasskeyRequest = z
  .object({
    challenge: Base64Url,
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

const Credential = z.object({ id: CredentialId, rawId: CredentialId, type: publicKeyType });

const NewCredential = Credential.extend({
  response: z.object({
    clientDataJSON: AuthenticatorData,
    attestationObject: AuthenticatorData,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
}).meta({ id: 'NewCredential' });
export type NewCredential = z.infer<typeof NewCredential>;

/** A signed assertion of a passkey, with its user handle. */
const CredentialAssertion = Credential.extend({
  response: z.object({
    clientDataJSON: AuthenticatorData,
    authenticatorData: AuthenticatorData,
    signature: AuthenticatorData,
    userHandle: Base64Url.max(100).optional(),
  }),
}).meta({ id: 'PresentedCredential' });
export type CredentialAssertion = z.infer<typeof CredentialAssertion>;

export const passkeyOperations = {
  listPasskeys: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/passkeys',
    access: 'member',
    summary: 'List the caller’s passkeys, oldest first',
    status: [200],
    response: z.array(Passkey),
    problems: ['unauthenticated'],
  }),
  startPasskey: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/passkeys/creation',
    access: 'member',
    summary: 'Start creating a passkey: returns options for the browser, valid once and for five minutes',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    response: PasskeyCreation,
    problems: [...reauthenticationProblems, 'not-configured', 'too-many-passkeys'],
  }),
  addPasskey: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/passkeys',
    access: 'member',
    invalidates: ['listPasskeys'],
    creates: true,
    summary: 'Save a created passkey',
    body: z.object({ name: PasskeyName, credential: NewCredential }),
    status: [201],
    response: Passkey,
    problems: [
      'unauthenticated',
      'invalid-passkey',
      'too-many-passkeys',
      'too-many-attempts',
      'not-configured',
    ],
  }),
  removePasskey: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/passkeys/{id}/removal',
    access: 'owner',
    invalidates: ['listPasskeys'],
    summary: 'Delete a passkey; rejected if it is the only login method',
    params: z.object({ id: CredentialId }),
    body: z.object({ currentPassword: CurrentPassword }),
    status: [204],
    problems: [...reauthenticationProblems, 'forbidden', 'passkey-not-found', 'last-login-method'],
  }),
  startPasskeyLogin: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/passkeys/request',
    access: 'public',
    summary: 'Start a login with a passkey: returns options for the browser, valid once and for five minutes',
    status: [200],
    response: PasskeyRequest,
    problems: ['not-configured'],
  }),
  loginWithPasskey: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/passkeys/login',
    access: 'public',
    summary: 'Log in with a passkey',
    body: z.object({ credential: CredentialAssertion }),
    status: [200],
    response: Session,
    problems: ['invalid-passkey', 'unknown-passkey', 'suspended', 'not-configured', 'too-many-attempts'],
  }),
};

export {
  type AccountReference,
  accountsIn,
  approveAccount,
  createAccount,
  createInvitation,
  declineAccount,
  endSessionsOf,
  findAccount,
  invitationsIn,
  passwordLinkOf,
  revokeInvitation,
  type StoreReference,
  sessionsOf,
  setAdmin,
} from './administration.ts';
export type { GoogleConfig } from './google-strategy.ts';
export type { NewInvitation } from './invitations.ts';
export type { AttemptLimits } from './login-attempts.ts';
export type { OpenIdConfig } from './openid-provider.ts';
export type { PasswordLimits } from './passwords.ts';
export { type AuthDeps, type AuthTuning, authService, createAuthService } from './service.ts';
export { privateKeySetting, signInSettings } from './settings.ts';
export { expiryFor } from './tokens.ts';

export type { GoogleConfig } from './google-strategy.ts';
export type { AttemptLimits, Limit } from './limits.ts';
export type { PasswordLimits } from './passwords.ts';
export { type AuthDeps, type AuthTuning, authService, createAuthService } from './service.ts';
export { type AdminChange, setAdmin } from './set-admin.ts';
export { privateKeySetting, signInSettings } from './settings.ts';

export type { GoogleConfig } from './google-strategy.ts';
export type { AttemptLimits, Limit } from './limits.ts';
export type { PasswordLimits } from './passwords.ts';
export { type AuthDeps, createAuthService } from './service.ts';
export { authSettings, googleConfig, googleSettings } from './settings.ts';

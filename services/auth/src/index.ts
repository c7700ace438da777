export type { AttemptLimits, Limit } from './limits.ts';
export type { PasswordLimits } from './passwords.ts';
export { type AuthDeps, createAuthService } from './service.ts';
export { authSettings } from './settings.ts';

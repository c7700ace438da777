export * from './language.ts';
export * from './mailer.ts';
export * from './settings.ts';

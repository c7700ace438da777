export * from './mailer.ts';
export * from './settings.ts';

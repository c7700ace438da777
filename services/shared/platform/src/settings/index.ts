export * from './dynamic-text.ts';
export * from './public-keys.ts';
export * from './settings.ts';
export * from './site.ts';

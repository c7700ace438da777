export * from './grouped.ts';
export * from './process.ts';
export * from './repeat.ts';
export * from './settings.ts';
export * from './timeouts.ts';

export * from './changing.ts';
export * from './clock.ts';
export * from './grouped.ts';
export * from './process.ts';
export * from './public-keys.ts';
export * from './repeat.ts';
export * from './settings.ts';
export * from './timeouts.ts';

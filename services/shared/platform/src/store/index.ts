export * from './away.ts';
export * from './forgotten.ts';
export * from './id-allocator.ts';
export * from './mongo.ts';
export * from './pair.ts';
export * from './races.ts';
export * from './revocations.ts';
export * from './words.ts';

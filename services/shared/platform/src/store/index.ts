export * from './fold-text.ts';
export * from './forgotten.ts';
export * from './id-allocator.ts';
export * from './ids.ts';
export * from './mongo.ts';
export { addOutbox, type WithOutbox, withEvents } from './outbox-document.ts';
export * from './races.ts';
export * from './revocations.ts';
export * from './search-tokens.ts';

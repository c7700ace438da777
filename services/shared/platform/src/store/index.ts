export * from './id-allocator.ts';
export * from './migration-steps.ts';
export type { Migration } from './migrations.ts';
export * from './mongo.ts';
export { addOutbox, type WithOutbox, withEvents } from './outbox-document.ts';
export * from './revocations.ts';
export * from './search-tokens.ts';
export * from './store-errors.ts';
export * from './stored-secret.ts';

export * from './id-allocator.ts';
export * from './migration-steps.ts';
export { isNewer, type Migration, NewerStoreError } from './migrations.ts';
export * from './mongo.ts';
export * from './store-errors.ts';
export * from './stored-secret.ts';

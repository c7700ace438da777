export * from './erased-users.ts';
export * from './erasure.ts';

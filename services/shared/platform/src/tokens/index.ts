export * from './revocations.ts';
export * from './token-guard.ts';

// Not the revocations: the gateway, which has no store, reads tokens, too.
export * from './token-guard.ts';

export * from './addresses.ts';
export * from './http-app.ts';
export * from './http-server.ts';
export * from './idempotency.ts';
export * from './pages.ts';
export * from './token-guard.ts';

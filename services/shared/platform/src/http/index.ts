export * from './addresses.ts';
export * from './headers.ts';
export * from './http-app.ts';
export * from './http-server.ts';

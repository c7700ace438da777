export * from './own-data.ts';
export * from './replica-replay.ts';
export * from './run-service.ts';
export * from './service.ts';

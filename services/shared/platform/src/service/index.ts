export * from './merge-by-id.ts';
export * from './own-data.ts';
export * from './replica-replay.ts';
export * from './replica-requests.ts';
export * from './run-service.ts';
export * from './service.ts';
export * from './service-definition.ts';

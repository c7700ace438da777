export * from './backing-service.ts';
export * from './backing-services.ts';
export * from './cleanup.ts';
export * from './program.ts';

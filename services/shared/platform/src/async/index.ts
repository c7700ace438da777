export * from './adaptive-limit.ts';
export * from './batcher.ts';
export * from './circuit-breaker.ts';
export * from './clock.ts';
export * from './deadline.ts';
export * from './lease.ts';
export * from './periodic-task.ts';

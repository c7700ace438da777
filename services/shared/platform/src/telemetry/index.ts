export * from './logging.ts';
export * from './metrics.ts';
export * from './request-context.ts';
export * from './security-events.ts';
export * from './tracing.ts';

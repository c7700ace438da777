export type { Redis } from 'ioredis';
export * from './quota.ts';
export * from './rate-limiter.ts';
export * from './redis.ts';
export * from './redis-connections.ts';

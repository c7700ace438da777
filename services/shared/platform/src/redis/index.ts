export type { Redis } from 'ioredis';
export * from './rate-limiter.ts';
export * from './redis.ts';

export * from './block-replica.ts';
export * from './challenge-replica.ts';
export * from './friendship-replica.ts';
export * from './membership-replica.ts';
export * from './replica-freshness.ts';
export * from './user-replica.ts';

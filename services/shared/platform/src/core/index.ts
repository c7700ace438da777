export * from './limits.ts';
export * from './problem.ts';
export * from './to-contract.ts';
export * from './unavailable.ts';

export * from './process.ts';

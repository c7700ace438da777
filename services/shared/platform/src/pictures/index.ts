export * from './reencode.ts';

export * from './search-tokens.ts';

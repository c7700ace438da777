export type { EmbeddedMongo, Logger, Options } from './server.ts';
export { startEmbeddedMongo } from './server.ts';

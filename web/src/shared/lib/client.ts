/** The typed client with its schemas, in its own chunk. */
export { createClient } from '@wayquest/contracts';

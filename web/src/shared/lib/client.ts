/** A chunk of its own: the typed client with its schemas. */
export { createClient } from '@wayquest/contracts';

declare const self: ServiceWorkerGlobalScope;
declare const BUILD: { version: string; files: string[] };

/** The global scope of the worker. */
export const worker = self;

/** The build that this worker belongs to, with the files that every page needs. */
export const build = BUILD;

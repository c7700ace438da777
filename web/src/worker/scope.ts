declare const self: ServiceWorkerGlobalScope;
declare const BUILD: { version: string; files: string[] };

/** The worker's own world. */
export const worker = self;

/** Which build this worker belongs to, and what of it a page cannot be drawn without. */
export const build = BUILD;

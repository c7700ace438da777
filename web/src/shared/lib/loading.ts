/** How far a thing has come that is asked of the server. */
export type Loading = 'idle' | 'loading' | 'ready' | 'failed';

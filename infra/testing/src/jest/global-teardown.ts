import { closeBackingServer } from './global-setup.ts';

/** Stops what the run started. */
export default closeBackingServer;

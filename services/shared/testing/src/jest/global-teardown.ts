import { closeDesk } from './global-setup.ts';

/** Stops what the run started. */
export default closeDesk;

import type { Client, DevicePosition } from '@wayquest/contracts';
import type { DraftStore } from '../lib/drafts.ts';
import type { FormDrafts } from '../lib/form-drafts.ts';
import type { Navigator } from '../lib/navigator.ts';
import type { UnsentStore } from '../lib/outgoing-queue.ts';
import type { PendingCompletions } from '../lib/pending-completions.ts';
import type { OpenSocket } from '../lib/socket.ts';
import type { TokenStore } from '../lib/tokens.ts';

/** The dependencies of sagas. */
export interface Deps {
  api: () => Promise<Client>;
  /** Loads the socket's code, which only members need. */
  socket: () => Promise<OpenSocket>;
  tokens: TokenStore;
  drafts: DraftStore;
  formDrafts: FormDrafts;
  unsent: UnsentStore;
  pendingCompletions: PendingCompletions;
  navigator: Navigator;
  /**
   * The device's position, if available. The browser may ask the person, so only call it after they pressed a button.
   */
  devicePosition: () => Promise<DevicePosition | undefined>;
}

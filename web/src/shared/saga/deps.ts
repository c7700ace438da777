import type { Client } from '@wayquest/contracts';
import type { Navigator } from '../lib/navigator.ts';
import type { TokenStore } from '../lib/tokens.ts';

/** What sagas are given of the world. */
export interface Deps {
  api: () => Promise<Client>;
  tokens: TokenStore;
  navigator: Navigator;
}

import { createMemoryPresence } from '../src/presence.ts';
import { presenceSuite } from './presence-suite.ts';

describe('presence in memory', () => {
  const presence = createMemoryPresence();
  presenceSuite(() => presence);
});

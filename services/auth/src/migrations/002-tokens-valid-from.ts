import { type Migration, renameFields } from '@wayquest/platform/store';
import type { Connection } from 'mongoose';

/** Renames the time from which an account's tokens are valid, `tokensFrom`. */
export const tokensValidFrom = (connection: Connection): Migration => ({
  name: '002-tokens-valid-from',
  run: () => renameFields(connection, 'accounts', { tokensFrom: 'tokensValidFrom' }),
});

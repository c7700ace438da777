import type { ServiceKit } from '@wayquest/platform/service';
import {
  dropCollection,
  dropIndex,
  type Migration,
  moveCollection,
  renameFields,
} from '@wayquest/platform/store';

/** Renames collections and the fields of awards; the ranking is dropped, since it is computed where it is missing. */
export const standardNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-standard-names',
  async run() {
    await moveCollection(connection, 'months', 'monthly_scores');
    await moveCollection(connection, 'withdrawn-challenges', 'revoked_challenges');
    await dropCollection(connection, 'boards');
    await renameFields(connection, 'awards', {
      heldAt: 'flaggedAt',
      heldFor: 'flagReason',
      withdrawn: 'revokedPoints',
      toldAt: 'appliedAt',
    });
    await dropIndex(connection, 'awards', 'heldAt_1');
  },
});

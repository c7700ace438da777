import type { Connection } from 'mongoose';
import { moveCollection, renameFields } from '../../store/migration-steps.ts';
import type { Migration } from '../../store/migrations.ts';

/**
 * Stores deleted accounts by that name, and names a challenge's required check-in like the other fields, in the challenges
 * service and in replicas of its challenges.
 */
export const deletedAccountsName = (connection: Connection): Migration => ({
  name: 'platform-003-deleted-accounts',
  async run() {
    await moveCollection(connection, 'forgotten', 'deleted_accounts');
    await renameFields(connection, 'challenges', {
      checkInAsked: 'checkInRequired',
      'details.checkInAsked': 'details.checkInRequired',
    });
  },
});

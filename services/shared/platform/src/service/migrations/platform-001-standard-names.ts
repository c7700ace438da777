import type { Connection } from 'mongoose';
import { dropCollection, moveCollection, renameFields } from '../../store/migration-steps.ts';
import type { Migration } from '../../store/migrations.ts';

/** Replicas, and what services keep of accounts; each service has some of them. */
const collections = ['blocks', 'challenges', 'creators', 'friendships', 'memberships', 'profiles', 'users'];

/**
 * Stores by their standard names when the last event of a replica's row occurred, whether a block is active, and pending
 * replica replays; drops the collection that recorded the version of a store.
 */
export const standardNames = (connection: Connection): Migration => ({
  name: 'platform-001-standard-names',
  async run() {
    for (const name of collections)
      await renameFields(connection, name, {
        heardAt: 'lastEventAt',
        pointsHeardAt: 'pointsLastEventAt',
        stands: 'active',
      });
    await moveCollection(connection, 'retellings', 'replica_replays');
    await dropCollection(connection, 'prepared');
  },
});

import type { Connection } from 'mongoose';
import { dropCollection, dropIndex, moveCollection, renameFields } from '../store/migration-steps.ts';
import type { Migration } from '../store/migrations.ts';

/** The migrations of all services, for stores of version 0.1.0. Removed with 0.3.0, which reads stores of 0.2.0 only. */

/** Replicas, and what services keep of accounts; each service has some of them. */
const collections = ['blocks', 'challenges', 'creators', 'friendships', 'memberships', 'profiles', 'users'];

interface StoredRequest {
  _id: string;
}

/**
 * Stores by their standard names when the last event of a replica's row occurred, whether a block is active, and pending
 * replays and requests of replicas; drops the collection that recorded the version of a store.
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
    const requests = connection.collection<StoredRequest>('replica_requests');
    // Each has one event.
    for await (const { _id } of requests.find())
      await requests.updateOne(
        { _id, outbox: { $size: 1 } },
        { $set: { 'outbox.0.name': 'replica.rebuild-requested.v1' } },
      );
  },
});

/** Renames `scene`, the kind of place of a challenge, in the challenges service and in replicas of its challenges. */
export const placeCategory = (connection: Connection): Migration => ({
  name: 'platform-002-place-category',
  async run() {
    await renameFields(connection, 'challenges', {
      scene: 'placeCategory',
      'details.scene': 'details.placeCategory',
    });
    await dropIndex(connection, 'challenges', 'scene_1__id_-1');
  },
});

/**
 * Moves deleted accounts to the collection of that name. Also renames `checkInAsked`, whether a challenge requires a check-in, in
 * the challenges service and in replicas of its challenges.
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

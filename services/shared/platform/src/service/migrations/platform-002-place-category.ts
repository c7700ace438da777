import type { Connection } from 'mongoose';
import { dropIndex, renameFields } from '../../store/migration-steps.ts';
import type { Migration } from '../../store/migrations.ts';

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

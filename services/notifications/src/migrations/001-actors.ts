import type { ServiceKit } from '@wayquest/platform/service';
import { dropIndex, type Migration, renameFields } from '@wayquest/platform/store';

/** Renames the fields with the actors of a notification: `people` and `heard`. */
export const actors = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-actors',
  async run() {
    await renameFields(connection, 'notifications', { people: 'recentActors', heard: 'actorHistory' });
    await dropIndex(connection, 'notifications', 'heard.userId_1_userId_1');
  },
});

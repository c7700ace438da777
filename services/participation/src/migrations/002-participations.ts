import type { ServiceKit } from '@wayquest/platform/service';
import { dropIndex, type Migration, moveCollection, renameFields } from '@wayquest/platform/store';

/** Stores participations by that name; version 0.1.0 called them lines. */
export const participationNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-participations',
  async run() {
    await moveCollection(connection, 'lines', 'participations');
    await renameFields(connection, 'photos', { lineId: 'participationId' });
    await dropIndex(connection, 'photos', 'lineId_1');
  },
});

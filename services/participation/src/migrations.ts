import type { ServiceKit } from '@wayquest/platform/service';
import { dropIndex, type Migration, moveCollection, renameFields } from '@wayquest/platform/store';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Renames who may see a person's map of completed challenges, `shownTo`. */
export const trailVisibility = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-trail-visibility',
  async run() {
    await renameFields(connection, 'trail_maps', { shownTo: 'visibility' });
  },
});

/** Stores participations by that name; version 0.1.0 called them lines. */
export const participationNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-participations',
  async run() {
    await moveCollection(connection, 'lines', 'participations');
    await renameFields(connection, 'photos', { lineId: 'participationId' });
    await dropIndex(connection, 'photos', 'lineId_1');
  },
});

/** Stores why a completion is flagged by the name that the event and the list of flagged points have for it. */
export const flagReasonName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-flag-reason',
  run: () => renameFields(connection, 'participations', { doubt: 'flagReason' }),
});

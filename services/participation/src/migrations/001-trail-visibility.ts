import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** Renames who may see a person's map of completed challenges, `shownTo`. */
export const trailVisibility = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-trail-visibility',
  async run() {
    await renameFields(connection, 'trail_maps', { shownTo: 'visibility' });
  },
});

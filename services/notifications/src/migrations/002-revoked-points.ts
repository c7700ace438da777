import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, replaceValue } from '@wayquest/platform/store';

/** Renames the change in notifications about revoked points. */
export const revokedPoints = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-revoked-points',
  async run() {
    const change = { field: 'change', from: 'points-withdrawn', to: 'points-revoked' };
    await replaceValue(connection, 'notifications', change);
  },
});

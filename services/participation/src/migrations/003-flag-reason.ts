import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** Stores why a completion is flagged by the name that the event and the list of flagged points have for it. */
export const flagReasonName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-flag-reason',
  run: () => renameFields(connection, 'participations', { doubt: 'flagReason' }),
});

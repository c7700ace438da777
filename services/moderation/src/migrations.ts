import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** Stores the deadline for responding to the owner of a place by the name that the contract has for it. */
export const respondByName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-respond-by',
  async run() {
    await renameFields(connection, 'cases', { answerBy: 'respondBy' });
    await renameFields(connection, 'reports', { answerBy: 'respondBy' });
  },
});
